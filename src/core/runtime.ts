/**
 * The core's front door: one runtime per workspace folder and process. It owns the store's connection, the lanes and the
 * runs in flight, and takes them down together.
 */
import { realpathSync } from "node:fs";
import type { AgentDefinition } from "./agents/agentDefinition.ts";
import type { DiscoveredAgents } from "./agents/discoverAgents.ts";
import { composeAnnouncement, type RunResult } from "./announce/announcement.ts";
import {
	createCatalogCaches,
	discoverAgentLayers,
	discoverCatalog,
	type Catalog,
	type CatalogInputs,
} from "./catalog/discoverCatalog.ts";
import { DisposableStore, type Disposable } from "./base/disposable.ts";
import { messageOf, ProblemError } from "./base/errors.ts";
import { Emitter, type Event } from "./base/event.ts";
import { createId } from "./base/ids.ts";
import { executeRun } from "./engine/executeRun.ts";
import { LaneScheduler } from "./engine/laneScheduler.ts";
import { recoverRuns } from "./engine/recoverRuns.ts";
import { RunRegistry } from "./engine/runRegistry.ts";
import type { ModelRegistry } from "./models/modelRegistry.ts";
import { createWorkspaceGate } from "./permissions/workspaceGate.ts";
import type { Clock } from "./ports/clock.ts";
import type { Logger } from "./ports/logger.ts";
import type { Run } from "./runs/run.ts";
import type { RunEvent } from "./runs/runEvent.ts";
import { isTerminal } from "./runs/runState.ts";
import type { Entry } from "./sessions/entry.ts";
import { spawnRun } from "./spawn/spawnRun.ts";
import type { SpawnAnswer } from "./spawn/spawnRequest.ts";
import { Database } from "./store/database.ts";
import { createBuiltinTools } from "./tools/builtinTools.ts";
import { effectiveTools } from "./tools/toolPolicy.ts";

const listedRuns = 1_000;
/** How soon another process's changes, or its death, are looked at. */
const lookAroundMs = 1_000;

export interface RuntimeOptions {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly models: ModelRegistry;
	readonly hostKind: "window" | "cli";
	readonly workerFile: URL;
	/** Holds this workspace's `muster.db`. */
	readonly storeFolder: string;
	readonly homeFolder: string;
	/** The open workspace folder, or null. */
	readonly repoFolder: string | null;
	readonly ripgrepPath: string | undefined;
	/** Nothing of the repo is read, started or sent before this is true. */
	isTrusted(): boolean;
	laneLimit(): number;
}

/** A run's result that has just reached the session that asked for it. */
export interface Announced {
	readonly run: Run;
	readonly text: string;
}

export class Runtime {
	readonly #options: RuntimeOptions;
	readonly #database: Database;
	readonly #hostId: string;
	readonly #own = new DisposableStore();
	readonly #caches = createCatalogCaches();
	readonly #stops = new Map<string, AbortController>();
	readonly #scheduler: LaneScheduler;
	readonly #announced: Emitter<Announced>;
	readonly #events: Emitter<RunEvent>;
	#lookAround: Disposable | undefined;

	readonly runs: RunRegistry;
	readonly onDidAnnounce: Event<Announced>;
	readonly onEvent: Event<RunEvent>;

	private constructor(options: RuntimeOptions, database: Database, hostId: string) {
		this.#options = options;
		this.#database = database;
		this.#hostId = hostId;
		const onListenerError = (error: unknown) => options.logger.error(`A listener failed: ${messageOf(error)}`);
		this.runs = this.#own.add(new RunRegistry(onListenerError));
		this.#announced = this.#own.add(new Emitter(onListenerError));
		this.#events = this.#own.add(new Emitter(onListenerError));
		this.onDidAnnounce = this.#announced.event;
		this.onEvent = this.#events.event;
		this.#scheduler = new LaneScheduler({
			database,
			clock: options.clock,
			hostId,
			limit: () => options.laneLimit(),
			start: (runs, events) => this.#start(runs, events),
			onError: (error) => options.logger.error(`Could not start queued runs: ${messageOf(error)}`),
		});
		this.#own.add(database.onDidChangeElsewhere(() => this.#lookAroundSoon()));
	}

	/** Rejects with a `ProblemError` when the store cannot be opened. The list of runs is there before anything else. */
	static async open(options: RuntimeOptions): Promise<Runtime> {
		const hostId = createId("host");
		const { storeFolder: folder, workerFile, logger, clock, hostKind } = options;
		const database = await Database.open({ folder, hostId, workerFile, logger });
		const runtime = new Runtime(options, database, hostId);
		if (!database.isReadOnly) {
			await database.call("registerHost", { hostId, pid: process.pid, kind: hostKind, at: clock.now() });
		}
		runtime.runs.put(await database.call("listRuns", { limit: listedRuns }));
		if (!database.isReadOnly) await runtime.#recover();
		return runtime;
	}

	/** Whether a newer Muster has written the store, so that this one only shows it. */
	get isReadOnly(): boolean {
		return this.#database.isReadOnly;
	}

	/** Reads the agents that can be spawned now. In an untrusted workspace only home is read. */
	async agents(): Promise<DiscoveredAgents> {
		return (await discoverAgentLayers(this.#catalogInputs())).agents;
	}

	/** Reads everything that is defined on disk now: agents, skills, servers, configuration, and what is wrong with it. */
	catalog(): Promise<Catalog> {
		return discoverCatalog(this.#catalogInputs());
	}

	#catalogInputs(): CatalogInputs {
		const { homeFolder, repoFolder, models } = this.#options;
		const isRead = repoFolder !== null && this.#options.isTrusted();
		return {
			homeDir: homeFolder,
			...(isRead && { repoDir: repoFolder }),
			environment: process.env,
			providerIds: models.providerIds(),
			caches: this.#caches,
		};
	}

	/** Answers at once; the run goes on by itself. */
	async spawn(request: unknown): Promise<SpawnAnswer> {
		if (!this.#options.isTrusted()) {
			const error =
				"This workspace is not trusted, so nothing can run in it. Trust it with “Workspaces: Manage Workspace Trust”, then spawn again.";
			return { status: "forbidden", accepted: false, error };
		}
		if (this.isReadOnly) {
			const error =
				"A newer version of Muster has written this workspace's runs. Update Muster to spawn here; what has run can still be read.";
			return { status: "error", accepted: false, error };
		}
		const { models, clock } = this.#options;
		const { agents, problems } = await this.agents();
		const { answer, accepted } = await spawnRun(request, {
			agents,
			problems,
			models,
			clock,
			database: this.#database,
			hostId: this.#hostId,
		});
		if (accepted) {
			this.runs.put([accepted.run]);
			this.#fire(accepted.events);
			this.#scheduler.wake();
		}
		return answer;
	}

	/** Stops a run, queued or executing. Stopping one that has ended changes nothing. */
	async stop(runId: string): Promise<void> {
		const run = await this.#database.call("getRun", { runId });
		if (!run || isTerminal(run.state)) return;
		if (run.state === "queued")
			return this.#end(run, {
				state: "canceled",
				usage: run.usage,
				summary: null,
				error: null,
				at: this.#options.clock.now(),
			});
		if (run.hostId !== this.#hostId) {
			throw new ProblemError({
				code: "run.elsewhere",
				message: "This run executes in another window. Stop it there, or close that window.",
			});
		}
		this.runs.note(runId, { activity: "stopping…" });
		this.#stopOf(runId).abort();
	}

	/** Puts every parked run back into its lane. */
	async resumeParked(): Promise<number> {
		const runs = await this.#database.call("unparkRuns", { hostId: this.#hostId });
		this.runs.put(runs);
		this.#scheduler.wake();
		return runs.length;
	}

	/** One page of a run's transcript, from after the entry `after`. */
	readTranscript(run: Pick<Run, "sessionId">, after: number, limit: number): Promise<Entry[]> {
		return this.#database.call("readEntries", { sessionId: run.sessionId, after, limit });
	}

	/** One page of any session's transcript, e.g. what was announced to the user's. */
	async readSession(key: string, after: number, limit: number): Promise<Entry[]> {
		const session = await this.#database.call("findSession", { key });
		return session ? this.#database.call("readEntries", { sessionId: session.id, after, limit }) : [];
	}

	/** A setting that the lanes depend on has changed. */
	wake(): void {
		this.#scheduler.wake();
	}

	/**
	 * Lets go of everything; resolves when the store is closed. Runs in flight have no process any more: the next one to
	 * look ends them as lost.
	 */
	async close(): Promise<void> {
		this.#lookAround?.dispose();
		this.#own.dispose();
		for (const stop of this.#stops.values()) stop.abort();
		await this.#database.close();
	}

	#start(runs: readonly Run[], events: readonly RunEvent[]): void {
		this.runs.put(runs);
		this.#fire(events);
		for (const run of runs) void this.#execute(run);
	}

	async #execute(run: Run): Promise<void> {
		try {
			await this.#end(run, await this.#perform(run));
		} catch (error) {
			this.#options.logger.error(`The end of a run could not be saved: ${messageOf(error)}`, { runId: run.id });
		} finally {
			this.#stops.delete(run.id);
		}
	}

	/** Never throws: whatever keeps a run from executing is how it ended. */
	async #perform(run: Run): Promise<RunResult> {
		const { models, clock } = this.#options;
		const fail = (error: string) =>
			({ state: "error", usage: run.usage, summary: null, error, at: clock.now() }) as const;
		try {
			const { agents } = await this.agents();
			const agent = agents.find(({ name }) => name === run.agentId);
			if (!agent) return fail(`The agent ${run.agentId} is not there any more.`);
			const model = models.find(run.model);
			if (!model) return fail(`The model ${run.model} is not available any more.`);
			const stop = this.#stopOf(run.id).signal;
			const { runs: registry } = this;
			return await executeRun({
				run,
				agent,
				model,
				...this.#toolbox(agent),
				registry,
				database: this.#database,
				clock,
				stop,
			});
		} catch (error) {
			return fail(messageOf(error));
		}
	}

	/** The same for who stops and for who executes, whichever comes first. */
	#stopOf(runId: string): AbortController {
		let stop = this.#stops.get(runId);
		if (!stop) this.#stops.set(runId, (stop = new AbortController()));
		return stop;
	}

	#toolbox(agent: AgentDefinition) {
		const { repoFolder, ripgrepPath } = this.#options;
		const root = repoFolder === null ? null : realpathSync.native(repoFolder);
		const tools = effectiveTools({
			available: createBuiltinTools({ ripgrepPath }),
			tools: agent.tools,
			disallowedTools: agent.disallowedTools,
			isSubagent: true,
		});
		return { root, tools, gate: createWorkspaceGate(root === null ? [] : [root]) };
	}

	async #end(run: Run, result: RunResult): Promise<void> {
		// After dispose the process has no say any more: who comes next ends the run.
		if (this.#own.isDisposed) return;
		const announcement = composeAnnouncement(run, result);
		const ended = await this.#database.call("endRun", { runId: run.id, ...result, announcement });
		this.runs.put([ended.run]);
		this.#fire(ended.events);
		this.#scheduler.wake();
		await this.#deliver(run.id);
	}

	async #deliver(runId: string): Promise<void> {
		const delivery = await this.#database.call("deliverAnnouncement", { runId, at: this.#options.clock.now() });
		if (!delivery) return;
		this.#fire(delivery.events);
		this.#announced.fire({ run: delivery.run, text: delivery.text });
	}

	async #recover(): Promise<void> {
		const { lost, parked, events } = await recoverRuns(this.#database, this.#hostId, this.#options.clock.now());
		this.runs.put([...lost, ...parked]);
		this.#fire(events);
		for (const runId of await this.#database.call("listUndelivered")) await this.#deliver(runId);
		const mustWatch = this.runs
			.list()
			.some((run) => !isTerminal(run.state) && run.hold === null && run.hostId !== this.#hostId);
		if (mustWatch) this.#lookAroundSoon();
	}

	#lookAroundSoon(): void {
		if (this.#own.isDisposed) return;
		this.#lookAround ??= this.#options.clock.after(lookAroundMs, () => void this.#look());
	}

	async #look(): Promise<void> {
		this.#lookAround = undefined;
		try {
			this.runs.put(await this.#database.call("listRuns", { limit: listedRuns }));
			if (!this.isReadOnly) await this.#recover();
			this.#scheduler.wake();
		} catch (error) {
			if (!this.#own.isDisposed) this.#options.logger.error(`Could not look for changes: ${messageOf(error)}`);
		}
	}

	#fire(events: readonly RunEvent[]): void {
		for (const event of events) {
			const { type, runId, sessionId, agentId, runKind, lane, parentRunId } = event;
			this.#options.logger.info(type, { runId, sessionId, agentId, runKind, lane, parentRunId });
			this.#events.fire(event);
		}
	}
}
