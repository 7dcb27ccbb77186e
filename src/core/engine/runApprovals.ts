import { hashBytes } from "../base/hashBytes.ts";
import type { ToolCall } from "../models/modelPort.ts";
import type { Ask } from "../permissions/sideEffect.ts";
import type { Clock } from "../ports/clock.ts";
import type { Approval } from "../runs/approval.ts";
import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import { describeAnswer } from "../runs/describeAnswer.ts";
import type { Database } from "../store/database.ts";
import type { PersonsAnswer } from "../tools/tool.ts";
import type { ApprovalDesk } from "./approvalDesk.ts";
import type { LiveRun } from "./liveRun.ts";
import type { Watchdog } from "./watchdog.ts";

export interface RunApprovalsOptions {
	readonly database: Database;
	readonly clock: Clock;
	readonly desk: ApprovalDesk;
	/** `deny`: nobody is asked, what would be asked is refused. */
	readonly onAsk: "inbox" | "deny";
	readonly onChanged: (run: Run, events: readonly RunEvent[]) => void;
}

/**
 * The questions of one run. Its time stands still while a person is asked; when every call under way waits, the run waits,
 * gives its slot back, and takes it again before the first answered call goes on.
 */
export class RunApprovals {
	readonly #run: Run;
	readonly #live: LiveRun;
	readonly #options: RunApprovalsOptions;
	#callsUnderWay = 0;
	#callsWaiting = 0;
	#isWaiting = false;
	#lastStep: Promise<unknown> = Promise.resolve();

	constructor(run: Run, live: LiveRun, options: RunApprovalsOptions) {
		this.#run = run;
		this.#live = live;
		this.#options = options;
	}

	/** To be wrapped around each call, so that it is known which are under way. */
	async during<Value>(call: () => Promise<Value>): Promise<Value> {
		this.#callsUnderWay++;
		try {
			return await call();
		} finally {
			this.#callsUnderWay--;
			await this.#follow();
		}
	}

	/** `watchdog` is missing where no time runs yet. */
	async ask(
		call: ToolCall,
		tool: string,
		question: Ask,
		signal: AbortSignal,
		watchdog?: Watchdog,
	): Promise<PersonsAnswer> {
		const { desk, onAsk, database } = this.#options;
		if (onAsk === "deny") {
			const reason = `${tool} needs a person's word (${question.why}), and this agent is set to ask nobody. Go on without it, and say in your report what is left to do.`;
			return { isAllowed: false, reason };
		}
		const input = JSON.stringify(call.input) ?? "null";
		this.#callsWaiting++;
		watchdog?.pause();
		const answered = desk.ask(
			{
				runId: this.#run.id,
				callId: call.toolCallId,
				tool,
				effect: question.effect.kind,
				subject: question.subject,
				input,
				hash: hashOf(this.#run.id, call, input),
				why: question.why,
				offers: question.offers.filter(({ scope }) => scope !== "always" || database.spansWorkspaces),
			},
			signal,
		);
		try {
			await this.#follow();
			const approval = await answered;
			if (approval?.state === "allowed") return { isAllowed: true, because: lowerFirst(describeAnswer(approval)) };
			return { isAllowed: false, reason: explainDenial(approval) };
		} finally {
			this.#callsWaiting--;
			await this.#follow();
			if (this.#callsWaiting === 0) watchdog?.resume();
		}
	}

	/** Brings the record in line with the calls, one step after the other. */
	#follow(): Promise<void> {
		const step = this.#lastStep.then(() => this.#step());
		this.#lastStep = step.catch(() => undefined);
		return step;
	}

	async #step(): Promise<void> {
		const mustWait = this.#callsWaiting > 0 && this.#callsWaiting === this.#callsUnderWay;
		if (mustWait === this.#isWaiting || this.#live.stop.aborted) return;
		this.#isWaiting = mustWait;
		if (mustWait) await this.#wait();
		else await this.#continue();
	}

	async #wait(): Promise<void> {
		const { database, clock, onChanged } = this.#options;
		const waiting = await database.call("waitRun", { runId: this.#run.id, reason: "approval", at: clock.now() });
		if (waiting) onChanged(waiting.run, waiting.events);
	}

	async #continue(): Promise<void> {
		const { database, clock, onChanged } = this.#options;
		const resumed = this.#live.untilResumed();
		const continued = await database.call("continueRun", { runId: this.#run.id, at: clock.now() });
		onChanged(continued, []);
		if (continued.state === "waiting_approval") await resumed;
	}
}

/** An answer holds for this run, this call, and every byte of its input. */
function hashOf(runId: string, { toolCallId, toolName }: ToolCall, input: string): string {
	return hashBytes(Buffer.from(JSON.stringify([runId, toolCallId, toolName, input])));
}

/** Written for the model. */
function explainDenial(approval: Approval | null): string {
	if (approval?.answeredBy === "expiry") {
		return "A person was asked, and this is not allowed, because nobody answered in time. Go on without it, and say in your report what is left to do.";
	}
	const words = approval?.reason ? ` They said: ${approval.reason}` : "";
	return `A person was asked and did not allow this.${words} Do not try it again.`;
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
