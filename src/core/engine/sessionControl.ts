/**
 * What people and main agents do with sessions and runs that exist: say something, stop, pause, resume, remove, read. Every
 * act is a fact in the store first; whoever owns the run acts on it.
 */
import { BugError, ProblemError } from "../base/errors.ts";
import { createId } from "../base/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import { isTerminal } from "../runs/runState.ts";
import { plainRequest, type RunRequest } from "../runs/runRequest.ts";
import type { Acceptance, AcceptRun } from "../store/acceptRun.ts";
import type { Receiver } from "../store/announcements.ts";
import type { Database } from "../store/database.ts";
import type { NewSession, SessionFacts } from "../store/sessions.ts";

export interface SessionControlOptions {
	readonly database: Database;
	readonly clock: Clock;
	readonly hostId: string;
	/** What a main agent runs on where nothing else is said. */
	defaultModel(): Promise<string>;
	/** Stops a run of this host; false when it does not execute here. */
	stopHere(runId: string, reason?: string): boolean;
	/** Called after each commit. */
	onChanged(runs: readonly Run[], events: readonly RunEvent[]): void;
	/** Called after a run has ended here, and only then. */
	onEnded(run: Run): Promise<void>;
}

/** How a message reached its session. */
export type Sent =
	/** A run of it reads the message at its next boundary. */
	| { readonly kind: "steered"; readonly run: Run }
	/** A new run in the same session answers. */
	| { readonly kind: "started"; readonly run: Run };

export class SessionControl {
	readonly #options: SessionControlOptions;

	constructor(options: SessionControlOptions) {
		this.#options = options;
	}

	/** A run by its id, or by the beginning of it where that is unique. */
	async find(idOrPrefix: string): Promise<Run> {
		const { database } = this.#options;
		const exact = await database.call("getRun", { runId: idOrPrefix });
		if (exact) return exact;
		const prefix = idOrPrefix.startsWith("run_") ? idOrPrefix : `run_${idOrPrefix}`;
		const [first, second] = idOrPrefix.trim() === "" ? [] : await database.call("findRuns", { prefix });
		if (first && !second) return first;
		const message = first
			? `Several runs begin with ${idOrPrefix}. Give more of the id.`
			: `There is no run ${idOrPrefix} in this workspace.`;
		throw new ProblemError({ code: first ? "run.ambiguous" : "run.notFound", message });
	}

	/** Stops a run and, before it, what it has spawned. Stopping one that has ended changes nothing. */
	async stop(runId: string, reason?: string): Promise<void> {
		const { database, clock } = this.#options;
		for (const child of await database.call("listLiveChildren", { runId }))
			await this.stop(child.id, "Its parent was stopped.");
		const { run, isFirst, events } = await database.call("requestStop", { runId, at: clock.now() });
		this.#options.onChanged([run], events);
		if (isFirst) await this.#options.onEnded(run);
		else if (!isTerminal(run.state)) this.#options.stopHere(run.id, reason);
	}

	/** A queued run is held at once, one that executes pauses at its next boundary. */
	async pause(runId: string): Promise<void> {
		const { database, clock } = this.#options;
		const { run, events } = await database.call("requestPause", { runId, at: clock.now() });
		this.#options.onChanged([run], events);
	}

	/** Lets a paused run go on as soon as there is room. */
	async continue(runId: string): Promise<void> {
		const { database, clock } = this.#options;
		this.#options.onChanged([await database.call("continueRun", { runId, at: clock.now() })], []);
	}

	/** Takes an ended run out of the lists. */
	async remove(runId: string): Promise<void> {
		const { database, clock } = this.#options;
		const { run, refusal, events } = await database.call("removeRun", { runId, at: clock.now() });
		if (refusal) throw new ProblemError({ code: "run.running", message: "This run has not ended. Stop it first." });
		this.#options.onChanged([run], events);
	}

	/** Says something to a session: its run reads it at the next boundary; when none executes, a new run answers. */
	async send(session: SessionFacts, text: string): Promise<Sent> {
		const { database, clock } = this.#options;
		if (text.trim() === "")
			throw new ProblemError({ code: "send.blank", message: "Say something: the message is empty." });
		const [last] = await database.call("listRunsOfSession", { sessionId: session.id, limit: 1 });
		if (!last)
			throw new ProblemError({ code: "send.noRun", message: `Nothing has run in the session ${session.key} yet.` });
		const message = { id: createId("message"), sessionId: session.id, text, at: clock.now() };
		if (await database.call("addMessage", message)) return { kind: "steered", run: last };
		return { kind: "started", run: await this.#startAgain(last, session, "send", text, text) };
	}

	/** A new run in the session of one that was cut off, which goes on from its transcript. Nothing is repeated by itself. */
	async resume(run: Run): Promise<Run> {
		if (!isTerminal(run.state)) throw new ProblemError({ code: "run.running", message: "This run has not ended." });
		const session = await this.session(run.sessionId);
		return this.#startAgain(run, session, "resume", run.task, resumePrompt);
	}

	/** A user's words to a main agent: the next turn of its session. It goes before wakes, because a person waits for it. */
	async startTurn(session: NewSession, text: string): Promise<Run> {
		const acceptance = await this.accept({ ...(await this.#mainRun(session)), task: text, prompt: text, priority: 1 });
		if (acceptance.kind !== "accepted") throw new BugError("A run without limits and key was refused");
		return acceptance.run;
	}

	/** The run that an idle main session is woken with, to read what came in. */
	async wakeRun({ sessionId, key, kind, agentId }: Receiver): Promise<AcceptRun> {
		const session = { id: sessionId, key, kind, agentId, depth: 0, createdAt: this.#options.clock.now() };
		return { ...(await this.#mainRun(session)), cause: "wake", task: "Results of subagents have come in." };
	}

	async #mainRun(session: NewSession): Promise<AcceptRun> {
		const { agentId } = session;
		const model = await this.#options.defaultModel();
		return this.newRun({ kind: "main", lane: "main", agentId, role: null, model }, session);
	}

	async session(keyOrId: string): Promise<SessionFacts> {
		const session = await this.#options.database.call("findSession", { key: keyOrId });
		if (!session) {
			throw new ProblemError({
				code: "session.notFound",
				message: `There is no session ${keyOrId} in this workspace.`,
			});
		}
		if (session.isDeleted) {
			const message = `The messages of the session ${session.key} were deleted after its result had been announced.`;
			throw new ProblemError({ code: "session.deleted", message });
		}
		return session;
	}

	async #startAgain(
		last: Run,
		session: SessionFacts,
		cause: "send" | "resume",
		task: string,
		prompt: string,
	): Promise<Run> {
		const requester = last.requesterSessionId === null ? null : await this.session(last.requesterSessionId);
		const { announceForm } = last;
		const acceptance = await this.accept({
			...this.newRun(last, session),
			cause,
			task,
			prompt,
			requester,
			announceForm,
			parentRunId: last.parentRunId,
			label: cause === "resume" ? last.label : null,
			request: withoutPlan(last.request),
		});
		if (acceptance.kind !== "accepted") throw new BugError("A run without limits and key was refused");
		return acceptance.run;
	}

	/** What every run that continues a session has in common with the one before. */
	newRun(like: Pick<Run, "kind" | "lane" | "agentId" | "role" | "model">, session: NewSession): AcceptRun {
		const { clock, hostId } = this.#options;
		const { kind, lane, agentId, role, model } = like;
		return {
			id: createId("run"),
			hostId,
			kind,
			lane,
			cause: "turn",
			agentId,
			role,
			label: null,
			task: "",
			model,
			request: plainRequest,
			announceForm: "none",
			cleanup: "keep",
			parentRunId: null,
			priority: 0,
			session,
			requester: null,
			prompt: "",
			retry: null,
			limits: null,
			at: clock.now(),
		};
	}

	async accept(input: AcceptRun): Promise<Acceptance> {
		const acceptance = await this.#options.database.call("acceptRun", input);
		if (acceptance.kind === "accepted") this.#options.onChanged([acceptance.run], acceptance.events);
		return acceptance;
	}
}

/** An approved plan is carried out once, by the run that its approval started. */
function withoutPlan({ planId: _approved, ...request }: RunRequest): RunRequest {
	return { ...request, context: null };
}

const resumePrompt =
	"Your last run was cut off before it ended. Continue from where you stopped. Where a tool call has no result, nobody knows how far it came: check before you repeat it. Then finish the task and report.";
