/**
 * What people and main agents do with sessions and runs that exist: say something, stop, pause, resume, remove, read. Every
 * act is a fact in the store first; whoever owns the run acts on it.
 */
import { BugError, ProblemError } from "../base/errors.ts";
import { createId } from "../base/ids.ts";
import type { Clock } from "../ports/clock.ts";
import { type Budget, describeBudget } from "../runs/budget.ts";
import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import { isTerminal } from "../runs/runState.ts";
import { plainRequest, type RunRequest } from "../runs/runRequest.ts";
import { quoteAnnouncement } from "../sessions/history.ts";
import type { Acceptance, AcceptRun } from "../store/acceptRun.ts";
import type { Receiver } from "../store/announcements.ts";
import type { Database } from "../store/database.ts";
import type { Host, LostHost } from "../store/hosts.ts";
import { describeHolder } from "../store/readOnly.ts";
import type { NewSession, SessionFacts } from "../store/sessions.ts";
import { waitReasons } from "./waitReasons.ts";

export interface SessionControlOptions {
	readonly database: Database;
	readonly clock: Clock;
	/** What a main agent runs on where nothing else is said. */
	defaultModel(agentId: string): Promise<string>;
	/** What all runs may use up in a day. */
	dayBudget(): Promise<Budget | undefined>;
	/** Stops a run of this host; false when it does not execute here. */
	stopHere(runId: string, reason?: string): boolean;
	/** Called after each commit. */
	onChanged(runs: readonly Run[], events: readonly RunEvent[]): void;
	/** Called after a run has ended here, or when its end is to be told again. */
	onEnded(run: Run): Promise<void>;
	/** The hosts that live and do not take what is theirs. */
	unresponsive(): ReadonlySet<string>;
	/** Called after another host's runs were taken over. */
	onHostEnded(lost: LostHost): Promise<void>;
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

	/** Lets a queued run go before all others of its lane that are as urgent. */
	async startNext(runId: string): Promise<void> {
		this.#options.onChanged([await this.#options.database.call("moveRun", { runId, to: "front" })], []);
	}

	/** While they are paused, no subagent starts, in no window of the folder; what executes goes on. */
	async pauseQueue(isPaused: boolean): Promise<void> {
		await this.#options.database.call("pauseLane", { lane: "subagent", isPaused });
		this.#options.onChanged([], []);
	}

	/** Why each queued run of a list waits, and which live ones belong to a process that does not answer, by their ids. */
	async explainWaits(runs: readonly Run[]): Promise<ReadonlyMap<string, string>> {
		if (!runs.some(({ state }) => state === "queued")) return new Map();
		const { database, clock } = this.#options;
		const at = clock.now();
		const [facts, hosts] = await Promise.all([database.call("readQueueFacts", { at }), database.call("listHosts")]);
		const unresponsive = this.#options.unresponsive();
		const silent = hosts.filter(({ id }) => unresponsive.has(id));
		const unanswered = new Map(silent.map((host) => [host.id, `${describeHolder(host)} does not answer`]));
		return waitReasons(runs, facts, { hostId: database.hostId, at, unanswered });
	}

	/** What is used of the day's budget, over all workspaces; null where there is none. */
	async describeDay(): Promise<string | null> {
		const { database, clock } = this.#options;
		const budget = await this.#options.dayBudget();
		if (!budget) return null;
		const at = clock.now();
		const { day } = await database.call("readSpent", { requesterSessionId: null, agentId: "", at });
		return describeBudget(budget, await database.shareDay(at, day));
	}

	/** Whether it waits for, or is in the hands of, a process that does not answer. */
	isUnanswered({ hostId, state, hold }: Pick<Run, "hostId" | "state" | "hold">): boolean {
		return !isTerminal(state) && hold !== "parked" && this.#options.unresponsive().has(hostId);
	}

	/** The other process that has this run; undefined where it is this one, or has ended. */
	async findOtherHost({ hostId }: Pick<Run, "hostId">): Promise<Host | undefined> {
		const { database } = this.#options;
		if (hostId === database.hostId) return undefined;
		return (await database.call("listHosts")).find(({ id }) => id === hostId);
	}

	/** Takes the runs of another process over as if it had died: what it executes is lost, what it has queued is parked. */
	async endHost({ id: hostId }: Pick<Host, "id">): Promise<LostHost> {
		const { database, clock } = this.#options;
		if (hostId === database.hostId) throw new BugError("A host does not end itself");
		const lost = await database.call("loseHost", { hostId, at: clock.now() });
		await this.#options.onHostEnded(lost);
		return lost;
	}

	/** Tries once more to bring a result to who asked for it; the run says whether it has failed again. */
	async retryDelivery(runId: string): Promise<Run> {
		await this.#options.onEnded(await this.#decideDelivery(runId, "retry"));
		return this.find(runId);
	}

	/** A result that did not arrive is let rest: its transcript has it. */
	async dismissDelivery(runId: string): Promise<void> {
		await this.#decideDelivery(runId, "dismiss");
	}

	/** Takes an ended run out of the lists. */
	async remove(runId: string): Promise<void> {
		const { database, clock } = this.#options;
		const { run, refusal, events } = await database.call("removeRun", { runId, at: clock.now() });
		if (refusal) throw new ProblemError({ code: "run.running", message: "This run has not ended. Stop it first." });
		this.#options.onChanged([run], events);
	}

	/** Brings back what was removed or archived. */
	async restore(runId: string): Promise<void> {
		const { database, clock } = this.#options;
		this.#options.onChanged([await database.call("restoreRun", { runId, at: clock.now() })], []);
	}

	/** What was removed or archived, newest first. */
	async listArchived(limit: number): Promise<Run[]> {
		const runs = await this.#options.database.call("listRuns", { limit, withArchived: true });
		return runs.filter(({ archivedAt }) => archivedAt !== null);
	}

	/** The results that a client has not been told of, oldest first, as data: to be put before the answer of its next call. */
	async takeResults(session: Pick<SessionFacts, "id">): Promise<readonly string[]> {
		const results = await this.#options.database.call("takeResults", { sessionId: session.id });
		return results.map(({ text }) => quoteAnnouncement(text));
	}

	async #decideDelivery(runId: string, decision: "retry" | "dismiss"): Promise<Run> {
		const { database, clock } = this.#options;
		const run = await database.call("decideUndelivered", { runId, decision, at: clock.now() });
		this.#options.onChanged([run], []);
		return run;
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
		const model = await this.#options.defaultModel(agentId);
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
		const { clock, database } = this.#options;
		const { kind, lane, agentId, role, model } = like;
		return {
			id: createId("run"),
			hostId: database.hostId,
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
