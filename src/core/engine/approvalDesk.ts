import { Emitter, type Event } from "../base/event.ts";
import type { Disposable } from "../base/disposable.ts";
import { ProblemError } from "../base/errors.ts";
import { createId } from "../base/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Approval, ApprovalOffer, ApprovalScope, StandingAnswerRecord, Surface } from "../runs/approval.ts";
import { describeAnswer } from "../runs/describeAnswer.ts";
import type { NewApproval } from "../store/approvals.ts";
import type { Database } from "../store/database.ts";

export interface ApprovalDeskOptions {
	readonly database: Database;
	readonly clock: Clock;
	/** Of the agent's file as it is now; an answer "for this agent" holds while it stays the same. */
	hashOfAgent(runId: string): Promise<string | null>;
	/** How long a question waits before it counts as denied; 0 is for ever. */
	expireAfterMs(): number;
	onError(error: unknown): void;
}

export interface Decided {
	readonly verdict: "allow" | "deny";
	/** Default: this once. */
	readonly scope?: ApprovalScope;
	/** Words for the model. */
	readonly reason?: string;
	readonly by: Surface;
	/** Of what was shown: another question was meant when it differs. */
	readonly hash?: string;
}

/**
 * Where runs ask and people answer. The record in the store is the truth: an answer may come from any window or the
 * command line, and who asked hears of it here.
 */
export class ApprovalDesk implements Disposable {
	readonly #options: ApprovalDeskOptions;
	readonly #asking = new Map<string, (approval: Approval) => void>();
	readonly #changed: Emitter<void>;
	#waiting: readonly Approval[] = [];

	/** The list of what waits has changed, or an answer that holds. */
	readonly onDidChange: Event<void>;
	/** Grows whenever answers may have changed, so that they are read again. */
	revision = 0;

	constructor(options: ApprovalDeskOptions) {
		this.#options = options;
		this.#changed = new Emitter((error) => options.onError(error));
		this.onDidChange = this.#changed.event;
	}

	/** What waits for a person, oldest first. */
	get waiting(): readonly Approval[] {
		return this.#waiting;
	}

	/** Puts a question, and resolves with its record once it is answered; null when its run ends before. */
	async ask(question: Omit<NewApproval, "id" | "at">, signal: AbortSignal): Promise<Approval | null> {
		const { database, clock } = this.#options;
		const opened = await database.call("openApproval", { ...question, id: createId("approval"), at: clock.now() });
		if (!opened || signal.aborted) return null;
		const expiry = this.#expire(opened.id);
		const answered = this.#untilAnswered(opened.id, signal);
		await this.look();
		return answered.finally(() => expiry.dispose());
	}

	/** Answers. Rejects when somebody was first, saying who; what was said first holds. */
	async answer(idOrPrefix: string, { verdict, scope = "once", reason, by, hash }: Decided): Promise<Approval> {
		const { database, clock } = this.#options;
		const found = await this.find(idOrPrefix);
		if (hash !== undefined && hash !== found.hash) {
			const message = "This is not the question that was shown. Look at what is asked now, then answer.";
			throw new ProblemError({ code: "approval.changed", message });
		}
		const answer = await database.call("answerApproval", {
			id: found.id,
			verdict,
			scope,
			reason: reason?.trim() ? reason.trim() : null,
			by,
			pid: process.pid,
			at: clock.now(),
			answerIds: found.offers.flatMap(({ rules }) => rules).map(() => createId("approval")),
			agentHash: scope === "agent" ? await this.#options.hashOfAgent(found.runId) : null,
		});
		if (answer?.kind === "answered" && scope === "always") await this.#keep(answer.approval, found.offers, verdict);
		await this.look();
		if (!answer || answer.kind === "late") throw new ProblemError(lateProblem(answer?.approval ?? found));
		if (answer.kind === "tooWide") {
			const message = "This can be allowed only once: a rule that you wrote, or a protected path, asks each time.";
			throw new ProblemError({ code: "approval.tooWide", message });
		}
		return answer.approval;
	}

	/** An approval by its id, or by the beginning of it where that is unique. */
	async find(idOrPrefix: string): Promise<Approval> {
		const prefix = idOrPrefix.startsWith("apr_") ? idOrPrefix : `apr_${idOrPrefix}`;
		const [first, second] =
			idOrPrefix.trim() === "" ? [] : await this.#options.database.call("findApprovals", { prefix });
		if (first && !second) return first;
		const message = first
			? `Several questions begin with ${idOrPrefix}. Give more of the id.`
			: `There is no question ${idOrPrefix} in this workspace.`;
		throw new ProblemError({ code: first ? "approval.ambiguous" : "approval.notFound", message });
	}

	/** The answers that hold for a run now. */
	answersFor(runId: string): Promise<StandingAnswerRecord[]> {
		return this.#options.database.call("listStandingAnswers", { runId });
	}

	/** The answers that hold in every workspace, as they are now: they may have been given in another. */
	async alwaysAnswers(): Promise<readonly StandingAnswerRecord[]> {
		const { database } = this.#options;
		return database.spansWorkspaces ? database.user("listAlways", null) : [];
	}

	async allAnswers(): Promise<readonly StandingAnswerRecord[]> {
		const own = await this.#options.database.call("listAllStandingAnswers");
		return [...(await this.alwaysAnswers()), ...own];
	}

	async revoke(id: string): Promise<void> {
		const { database, clock } = this.#options;
		const at = clock.now();
		const isOwn = await database.call("revokeAnswer", { id, at });
		if (!isOwn && database.spansWorkspaces) await database.user("revokeAlways", { id, at });
		await this.look();
	}

	/** Reads what waits now, and tells those whose question is answered. */
	async look(): Promise<void> {
		const { database } = this.#options;
		this.revision++;
		const before = this.#waiting.map(({ id }) => id).join();
		this.#waiting = await database.call("listWaitingApprovals");
		const ids = new Set(this.#waiting.map(({ id }) => id));
		for (const [id, tell] of this.#asking) {
			if (ids.has(id)) continue;
			const answered = await database.call("getApproval", { id });
			if (answered && answered.state !== "waiting") tell(answered);
		}
		if (before !== [...ids].join()) this.#changed.fire();
	}

	dispose(): void {
		this.#changed.dispose();
	}

	/** After the question itself is answered: should this fail, it was allowed once, and is asked again. */
	async #keep({ runId }: Approval, offers: readonly ApprovalOffer[], verdict: "allow" | "deny"): Promise<void> {
		const { database, clock } = this.#options;
		const texts = offers.find(({ scope }) => scope === "always")?.rules ?? [];
		const rules = texts.map((rule) => ({ id: createId("approval"), rule }));
		const agentId = (await database.call("getRun", { runId }))?.agentId ?? "";
		await database.user("keepAlways", { verdict, rules, runId, agentId, at: clock.now() });
	}

	/** The process that asked lets a question expire; one whose process is gone is withdrawn with its run. */
	#expire(id: string): Disposable {
		const options = this.#options;
		const after = options.expireAfterMs();
		if (after === 0) return { dispose: () => undefined };
		return options.clock.after(after, () => {
			// A person who was first is right.
			this.answer(id, { verdict: "deny", by: "expiry" }).catch((error: unknown) => {
				if (!(error instanceof ProblemError)) options.onError(error);
			});
		});
	}

	#untilAnswered(id: string, signal: AbortSignal): Promise<Approval | null> {
		return new Promise((resolve) => {
			const settle = (approval: Approval | null) => {
				this.#asking.delete(id);
				signal.removeEventListener("abort", onAbort);
				resolve(approval);
			};
			const onAbort = () => settle(null);
			signal.addEventListener("abort", onAbort, { once: true });
			this.#asking.set(id, settle);
		});
	}
}

function lateProblem(approval: Approval) {
	const at = approval.answeredAt === null ? "" : ` at ${new Date(approval.answeredAt).toISOString().slice(11, 19)} UTC`;
	return {
		code: "approval.answered",
		message: `This was answered before: ${describeAnswer(approval)}${at}. That answer holds.`,
	};
}
