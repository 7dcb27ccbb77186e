/**
 * The core's front door: one runtime per workspace folder and process. It owns the store's connection, the lanes and the
 * runs in flight, and takes them down together.
 */
import type { DiscoveredAgents } from "./agents/discoverAgents.ts";
import { DisposableStore } from "./base/disposable.ts";
import { messageOf } from "./base/errors.ts";
import { Emitter, type Event } from "./base/event.ts";
import { createId } from "./base/ids.ts";
import type { Catalog } from "./catalog/discoverCatalog.ts";
import { ApprovalDesk } from "./engine/approvalDesk.ts";
import { Archiver } from "./engine/archiver.ts";
import { type Announced, Announcer } from "./engine/announcer.ts";
import { Definitions } from "./engine/definitions.ts";
import type { LiveRun } from "./engine/liveRun.ts";
import { HostWatch } from "./engine/hostWatch.ts";
import { LaneCaps } from "./engine/laneCaps.ts";
import { LaneScheduler } from "./engine/laneScheduler.ts";
import { lastAnswer } from "./engine/lastAnswer.ts";
import { openHostDatabase } from "./engine/openHostDatabase.ts";
import { openToolbox, type ToolboxOptions } from "./engine/openToolbox.ts";
import { McpHub } from "./engine/mcpHub.ts";
import { PlanDesk } from "./engine/planDesk.ts";
import { readStatus } from "./engine/readStatus.ts";
import { RunExecutor } from "./engine/runExecutor.ts";
import { RunRegistry } from "./engine/runRegistry.ts";
import { Transcripts } from "./engine/transcripts.ts";
import { untilEnded } from "./engine/untilEnded.ts";
import { createSessionDesk } from "./engine/sessionDesk.ts";
import { SessionControl } from "./engine/sessionControl.ts";
import { ProcessGroups } from "./processes/processGroup.ts";
import type { Run } from "./runs/run.ts";
import type { RunEvent } from "./runs/runEvent.ts";
import { isTerminal } from "./runs/runState.ts";
import type { RuntimeOptions } from "./runtimeOptions.ts";
import { userSession } from "./sessions/session.ts";
import { refuseHere } from "./spawn/refuseHere.ts";
import { resultOf, type SpawnAnswer } from "./spawn/spawnAnswer.ts";
import type { Requester } from "./spawn/spawnContext.ts";
import { spawnRun } from "./spawn/spawnRun.ts";
import type { Claim } from "./store/claimRuns.ts";
import type { Database } from "./store/database.ts";
import type { ReadOnlyReason } from "./store/readOnly.ts";
import type { LostHost } from "./store/hosts.ts";
import type { NewSession } from "./store/sessions.ts";
import type { SessionPort } from "./tools/session/sessionPort.ts";
import { createSessionTools } from "./tools/session/sessionTools.ts";

const listedRuns = 1_000;
const limits = { active: 5, retained: 15, depth: 1 };

export class Runtime {
	readonly #options: RuntimeOptions;
	readonly #database: Database;
	readonly #own = new DisposableStore();
	readonly #definitions: Definitions;
	readonly #processes: ProcessGroups;
	readonly #laneCaps: LaneCaps;
	readonly #scheduler: LaneScheduler;
	readonly #announcer: Announcer;
	readonly #executor: RunExecutor;
	readonly #watch: HostWatch;
	readonly #archiver: Archiver;
	readonly #announced: Emitter<Announced>;
	readonly #events: Emitter<RunEvent>;

	readonly runs: RunRegistry;
	readonly mcp: McpHub;
	readonly approvals: ApprovalDesk;
	readonly plans: PlanDesk;
	readonly control: SessionControl;
	readonly transcripts: Transcripts;
	readonly onDidAnnounce: Event<Announced>;
	readonly onEvent: Event<RunEvent>;

	private constructor(options: RuntimeOptions, database: Database) {
		this.#options = options;
		this.#definitions = new Definitions(options);
		this.#database = database;
		this.#laneCaps = new LaneCaps({ ...options, database });
		this.runs = this.#own.add(new RunRegistry(this.#report("A listener failed")));
		this.#announced = this.#own.add(new Emitter(this.#report("A listener failed")));
		this.#events = this.#own.add(new Emitter(this.#report("A listener failed")));
		this.onDidAnnounce = this.#announced.event;
		this.onEvent = this.#events.event;
		this.#processes = new ProcessGroups({ clock: options.clock, storeFolder: options.storeFolder });
		const onError = this.#report("A listener failed");
		this.mcp = new McpHub({ ...options, database, processes: this.#processes, onError });
		this.approvals = this.#own.add(this.#createDesk());
		this.#scheduler = this.#own.add(this.#createScheduler());
		this.#announcer = this.#own.add(this.#createAnnouncer());
		this.#executor = this.#createExecutor();
		this.control = this.#createControl();
		this.plans = this.#own.add(this.#createPlanDesk());
		this.transcripts = new Transcripts(database);
		this.#watch = this.#own.add(this.#createWatch());
		this.#archiver = this.#own.add(this.#createArchiver());
		this.#own.add(database.onDidChangeElsewhere(() => this.#changedElsewhere()));
	}

	/** Rejects with a `ProblemError` when the store cannot be opened. The list of runs is there before anything else. */
	static async open(options: RuntimeOptions): Promise<Runtime> {
		const database = await openHostDatabase(options);
		const runtime = new Runtime(options, database);
		runtime.runs.replace(await database.call("readRunList", { limit: listedRuns }));
		await Promise.all([runtime.approvals.look(), runtime.plans.look()]);
		if (runtime.readOnly === null) {
			await runtime.applySettings();
			await runtime.#look(await runtime.#watch.sweep());
			await runtime.#announcer.deliverAll();
			runtime.#archiver.start();
			if (runtime.#hasLiveRuns()) runtime.#watch.lookSoon();
		}
		return runtime;
	}

	/** Why this process only shows the store; null when it may write it. */
	get readOnly(): ReadOnlyReason | null {
		return this.#database.readOnly;
	}

	/** What a person should hear of how the store was opened. */
	get warning(): string | null {
		return this.#database.warning;
	}

	/** Reads the agent files that load now. In an untrusted workspace only home is read. */
	agents(): Promise<DiscoveredAgents> {
		return this.#definitions.agents();
	}

	/** Reads everything that is defined on disk now: agents, skills, servers, configuration, and what is wrong with it. */
	catalog(): Promise<Catalog> {
		return this.#definitions.catalog();
	}

	/** Answers at once, or, when the call wants to wait, with the result if there is one in time. */
	async spawn(request: unknown, requester: Requester = this.person(userSession)): Promise<SpawnAnswer> {
		const refusal = refuseHere({ isTrusted: this.#options.isTrusted(), readOnly: this.readOnly });
		if (refusal) return refusal;
		const { models, clock, repoFolder } = this.#options;
		const definitions = await this.#definitions.forSpawning();
		await this.#laneCaps.update(definitions.config.defaults);
		const own = { database: this.#database, hostId: this.#database.hostId, limits };
		const context = { ...definitions, ...own, requester, models, clock, repoFolder };
		const { answer, accepted, wait } = await spawnRun(request, context);
		if (!accepted || answer.status !== "accepted") return answer;
		this.#changed([accepted.run], accepted.events);
		if (wait === undefined) return answer;
		const ended = await this.untilEnded(accepted.run.id, wait * 1000);
		if (!ended) return { ...answer, waitExpired: true };
		const { events } = await this.#database.call("settleAnswered", { runId: ended.id, at: clock.now() });
		this.#changed([], events);
		return { ...answer, result: resultOf(ended) };
	}

	/** A requester that is a person at one of the surfaces. */
	person(session: Pick<NewSession, "key" | "kind" | "agentId">): Requester {
		const createdAt = this.#options.clock.now();
		return { session: { ...session, id: createId("session"), depth: 0, createdAt }, runId: null, isPerson: true };
	}

	/** The run once it has ended, or undefined when it has not in time. */
	untilEnded(runId: string, ms: number): Promise<Run | undefined> {
		return untilEnded(this.runs, runId, this.#options.clock, ms);
	}

	/** Stops a run, queued or executing, here or in another window. Stopping one that has ended changes nothing. */
	async stop(runId: string): Promise<void> {
		await this.control.stop(runId);
	}

	/** Puts parked runs back into their lanes: all, or one. */
	async resumeParked(runId?: string): Promise<number> {
		const runs = await this.#database.call("unparkRuns", { hostId: this.#database.hostId, ...(runId && { runId }) });
		this.#changed(runs, []);
		return runs.length;
	}

	/** A setting that the lanes depend on has changed. */
	async applySettings(): Promise<void> {
		if (this.readOnly === null) await this.#laneCaps.write((await this.#definitions.read()).config.defaults);
		this.#scheduler.wake();
	}

	/**
	 * Lets go of everything; resolves when the store is closed. Runs in flight have no process any more: the next one to
	 * look ends them as lost.
	 */
	async close(): Promise<void> {
		this.#executor.close();
		this.#own.dispose();
		await this.mcp.close();
		await this.#processes.close();
		await this.#database.close();
	}

	#report(what: string): (error: unknown) => void {
		return (error) => {
			if (!this.#own.isDisposed) this.#options.logger.error(`${what}: ${messageOf(error)}`);
		};
	}

	#createScheduler(): LaneScheduler {
		return new LaneScheduler({
			database: this.#database,
			clock: this.#options.clock,
			start: (claim) => this.#start(claim),
			onError: this.#report("Could not start queued runs"),
		});
	}

	#createAnnouncer(): Announcer {
		const database = this.#database;
		return new Announcer({
			database,
			clock: this.#options.clock,
			wakeRun: (receiver) => this.control.wakeRun(receiver),
			lastAnswer: (run) => lastAnswer(database, run),
			planApprover: () => this.#options.planApprover?.() ?? "user",
			onDelivered: ({ delivered, deadLetters, woken, events }) => {
				this.#changed([...deadLetters, ...(woken ? [woken] : [])], events);
				for (const announced of delivered) this.#announced.fire(announced);
			},
			onError: this.#report("A result could not be announced"),
		});
	}

	#createExecutor(): RunExecutor {
		const { clock, logger, models } = this.#options;
		return new RunExecutor({
			database: this.#database,
			clock,
			logger,
			models,
			registry: this.runs,
			announcer: this.#announcer,
			define: (run) => this.#definitions.define(run),
			openToolbox: (run, definition, live) => openToolbox(run, definition, live, this.#toolboxOptions(run, live)),
			statusFor: (run) => readStatus(this.#database, run, { retained: limits.retained, at: clock.now() }),
			onEnded: async ({ run, events, parked = [] }) => {
				this.#changed([run, ...parked], events);
				await this.#settle(run);
			},
			onChanged: (run, events) => this.#changed([run], events),
		});
	}

	#createDesk(): ApprovalDesk {
		return new ApprovalDesk({
			database: this.#database,
			clock: this.#options.clock,
			onError: this.#report("A listener failed"),
			expireAfterMs: () => (this.#options.expireAfterMinutes?.() ?? 0) * 60_000,
			hashOfAgent: async (runId) => this.#definitions.hashOfAgent(await this.#database.call("getRun", { runId })),
		});
	}

	#createPlanDesk(): PlanDesk {
		return new PlanDesk({
			database: this.#database,
			clock: this.#options.clock,
			control: this.control,
			onChanged: (runs, events) => this.#changed(runs, events),
			onError: this.#report("A listener failed"),
		});
	}

	#createSessionPort(run: Run, live: LiveRun): SessionPort {
		return createSessionDesk(run, live, {
			database: this.#database,
			clock: this.#options.clock,
			control: this.control,
			runs: this.runs,
			spawn: (request, requester) => this.spawn(request, requester),
			agents: (asking) => this.#definitions.spawnableBy(asking),
			plans: this.plans,
			planApprover: () => this.#options.planApprover?.() ?? "user",
			onChanged: (changed, events) => this.#changed(changed, events),
		});
	}

	#createControl(): SessionControl {
		return new SessionControl({
			database: this.#database,
			clock: this.#options.clock,
			dayBudget: () => this.#definitions.dayBudget(),
			defaultModel: (agentId) => this.#definitions.defaultModel(agentId),
			stopHere: (runId, reason) => this.#stopHere(runId, reason),
			onChanged: (runs, events) => this.#changed(runs, events),
			onEnded: (run) => this.#settle(run),
			unresponsive: () => this.#scheduler.unresponsive,
			onHostEnded: (lost) => this.#look([lost]),
		});
	}

	#createWatch(): HostWatch {
		return new HostWatch({
			database: this.#database,
			clock: this.#options.clock,
			isNeeded: () => this.#hasLiveRuns(),
			onLook: (lost) => this.#look(lost),
			letGo: () => this.#executor.stopAll(),
			onError: this.#report("Could not look for changes"),
		});
	}

	#createArchiver(): Archiver {
		const { clock, logger } = this.#options;
		return new Archiver({
			database: this.#database,
			clock,
			logger,
			afterMinutes: () => this.#definitions.archiveAfterMinutes(),
			onArchived: (runs) => this.#changed(runs, []),
		});
	}

	#start({ started, resumed, events }: Claim): void {
		this.runs.put([...started, ...resumed]);
		this.#fire(events);
		if (started.length > 0) this.#database.setPace("busy");
		for (const run of started) this.#executor.start(run);
		for (const run of resumed) this.#executor.resumed(run);
	}

	#toolboxOptions(run: Run, live: LiveRun): ToolboxOptions {
		return {
			...this.#options,
			dataFolder: this.#options.dataFolder ?? this.#options.storeFolder,
			processes: this.#processes,
			database: this.#database,
			desk: this.approvals,
			hub: this.mcp,
			sessionTools: run.kind === "main" ? createSessionTools(this.#createSessionPort(run, live)) : [],
			onChanged: (changed, events) => this.#changed([changed], events),
		};
	}

	#stopHere(runId: string, reason?: string): boolean {
		this.runs.note(runId, { activity: "stopping…" });
		return this.#executor.stop(runId, reason);
	}

	/** After an end: the requester is told, and if its own session is idle now, what waited for that is delivered. */
	async #settle(run: Run): Promise<void> {
		if (this.#executor.isIdle) this.#database.setPace("idle");
		// What its end has withdrawn is asked no longer, and what it has planned waits.
		await Promise.all([this.approvals.look(), this.plans.look()]);
		this.#scheduler.wake();
		await this.#announcer.announceTo(run.requesterSessionId);
		await this.#announcer.announceTo(run.sessionId);
	}

	#hasLiveRuns(): boolean {
		return this.runs.list().some((run) => !isTerminal(run.state) && run.hold !== "parked");
	}

	#changedElsewhere(): void {
		this.#look([]).catch(this.#report("Could not look for changes"));
		this.#watch.lookSoon();
	}

	/** Takes in what others have done or left: records, requests to stop, free slots. */
	async #look(lost: readonly LostHost[]): Promise<void> {
		if (this.#own.isDisposed) return;
		for (const { events } of lost) this.#fire(events);
		this.runs.replace(await this.#database.call("readRunList", { limit: listedRuns }));
		await Promise.all([this.approvals.look(), this.plans.look()]);
		if (this.readOnly) return;
		// What a killed process had started may go on without it. Nobody waits for its end.
		this.#processes.reapAbandoned().catch(this.#report("Could not end what a dead process left"));
		const requests = await this.#database.call("listStopRequests", { hostId: this.#database.hostId });
		for (const run of requests) this.#stopHere(run.id);
		this.#executor.stopWhere((runId) => isTerminal(this.runs.get(runId)?.state ?? "running"));
		// Also when it left no live run: it may have died between an end and its announcement.
		if (lost.length > 0) await this.#announcer.deliverAll();
		this.#scheduler.wake();
	}

	#changed(runs: readonly Run[], events: readonly RunEvent[]): void {
		this.runs.put(runs);
		this.#fire(events);
		this.#scheduler.wake();
	}

	#fire(events: readonly RunEvent[]): void {
		for (const event of events) {
			const { type, runId, sessionId, agentId, runKind, lane, parentRunId } = event;
			this.#options.logger.info(type, { runId, sessionId, agentId, runKind, lane, parentRunId });
			this.#events.fire(event);
		}
	}
}
