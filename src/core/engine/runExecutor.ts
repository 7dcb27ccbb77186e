import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { createId } from "../base/ids.ts";
import { messageOf } from "../base/errors.ts";
import type { ModelMessage, ToolCall } from "../models/modelPort.ts";
import { keyChain, usersKeys } from "../models/keyChain.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";
import type { McpServer } from "../mcp/mcpServers.ts";
import type { RuleLists } from "../permissions/rule.ts";
import type { Clock } from "../ports/clock.ts";
import type { FileAccess } from "../ports/fileAccess.ts";
import type { Logger } from "../ports/logger.ts";
import { noUsage, type Run } from "../runs/run.ts";
import { toMessages } from "../sessions/history.ts";
import type { NewPlan } from "../store/plans.ts";
import type { Skill } from "../skills/skill.ts";
import type { Ended } from "../store/advanceRun.ts";
import type { Database } from "../store/database.ts";
import type { Tool, ToolResult } from "../tools/tool.ts";
import type { Announcer } from "./announcer.ts";
import { planTextOf } from "../plans/planText.ts";
import { hashOfPlan } from "./planDesk.ts";
import { backOff } from "./backOff.ts";
import { composeBrief } from "./composeBrief.ts";
import { executeRun, type RunResult } from "./executeRun.ts";
import { LiveRun } from "./liveRun.ts";
import type { ProgressFacts } from "./progress.ts";
import { ProviderPauses } from "./providerPauses.ts";
import { readConversation } from "./readConversation.ts";
import { reportOpenEffects } from "./reportOpenEffects.ts";
import type { RunRegistry } from "./runRegistry.ts";
import { type SharedBudgets, Spending } from "./spending.ts";
import type { Watchdog } from "./watchdog.ts";

/** What a run works with. */
export interface Toolbox {
	readonly tools: readonly Tool[];
	/** The real path of the folder it works in, or null. */
	readonly root: string | null;
	readonly files: FileAccess;
	runTool(call: ToolCall, signal: AbortSignal, watchdog: Watchdog): Promise<ToolResult>;
	/** Ends what the run has started. */
	dispose(): Promise<void>;
}

/** What a run is started with; it keeps this until its end. */
export interface RunDefinition {
	/** With what the configuration and who spawned it leave it. */
	readonly agent: AgentDefinition;
	/** Of the agent as it is defined: an answer for it holds as long as this stays the same. */
	readonly agentHash: string;
	readonly rules: RuleLists;
	/** The MCP servers as configured; consent aside. */
	readonly servers: readonly McpServer[];
	/** What is wrong with the file that the call named for them. */
	readonly serverProblems?: readonly string[];
	readonly edits: "ask" | "allow";
	/** Its changes and commands are refused, never asked about; it reads in its folder alone. */
	readonly isRestricted: boolean;
	/** Those that it may spawn, for an agent that can. */
	readonly agents: readonly AgentDefinition[];
	/** Those that are effective in the run's layers. */
	readonly skills: readonly Skill[];
	/** What its session, its agent and the day may use up. */
	readonly budgets: SharedBudgets;
	/** Whether anything of the open folder may be read. */
	readonly isTrusted: boolean;
	/** What the person has given the role `Compaction`. */
	readonly compactionModel?: string;
}

export interface RunExecutorOptions {
	readonly database: Database;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly registry: RunRegistry;
	readonly models: ModelRegistry;
	readonly announcer: Announcer;
	/** The run's agent and what goes with it, as configured now; undefined when the agent is not there any more. */
	define(run: Run): Promise<RunDefinition | undefined>;
	openToolbox(run: Run, definition: RunDefinition, live: LiveRun): Promise<Toolbox>;
	/** Said to the model once more with every turn, after everything else, e.g. how its children are. */
	statusFor(run: Run): Promise<string | null>;
	/** Called after the end is committed. */
	onEnded(ended: Ended): Promise<void>;
	/** Called when a run has changed otherwise. */
	onChanged(run: Run, events: Ended["events"]): void;
}

/** The plan that a run in plan mode has answered with. */
function toPlan(answer: string): NewPlan {
	const text = planTextOf(answer);
	return { id: createId("plan"), text, hash: hashOfPlan(text) };
}

/** Executes the runs of this host, from their start to their committed end. */
export class RunExecutor {
	readonly #options: RunExecutorOptions;
	readonly #live = new Map<string, LiveRun>();
	readonly #pauses: ProviderPauses;
	#isClosed = false;

	constructor(options: RunExecutorOptions) {
		this.#options = options;
		this.#pauses = new ProviderPauses(options.database, options.clock);
	}

	get isIdle(): boolean {
		return this.#live.size === 0;
	}

	/** Begins to execute a run that the store has started. */
	start(run: Run): void {
		void this.#execute(run, this.#liveOf(run));
	}

	/** The store has given a run its slot back. */
	resumed(run: Run): void {
		this.#live.get(run.id)?.resumed();
	}

	/** Stops a run of this host; false when it does not execute here. */
	stop(runId: string, reason?: string): boolean {
		const live = this.#live.get(runId);
		live?.requestStop(reason);
		return live !== undefined;
	}

	/** Stops what others have ended, because they took this host for dead: it must not be worked on any more. */
	stopWhere(hasEnded: (runId: string) => boolean): void {
		for (const live of this.#live.values()) if (hasEnded(live.id)) live.requestStop();
	}

	/** Stops everything, because none of it is this host's any more. */
	stopAll(): void {
		for (const live of this.#live.values()) live.requestStop();
	}

	/** Lets go of everything without a word: who comes next finds the runs without an owner. */
	close(): void {
		this.#isClosed = true;
		this.stopAll();
	}

	/** The same for who stops and for who executes, whichever comes first. */
	#liveOf(run: Run): LiveRun {
		let live = this.#live.get(run.id);
		if (!live) this.#live.set(run.id, (live = new LiveRun(run)));
		return live;
	}

	async #execute(run: Run, live: LiveRun): Promise<void> {
		const { database, clock, logger } = this.#options;
		try {
			const result = await this.#perform(run, live);
			if (this.#isClosed) return;
			const { answer = null, ...end } = result;
			const plan = run.request.planMode && answer !== null ? toPlan(answer) : null;
			const ended = await database.call("endRun", { runId: run.id, ...end, plan, at: clock.now() });
			this.#live.delete(run.id);
			await this.#options.onEnded(ended);
		} catch (error) {
			if (!this.#isClosed) logger.error(`The end of a run could not be saved: ${messageOf(error)}`, { runId: run.id });
		} finally {
			this.#live.delete(run.id);
		}
	}

	/** Never throws: whatever keeps a run from executing is how it ended. */
	async #perform(run: Run, live: LiveRun): Promise<RunResult> {
		const fail = (error: string): RunResult => ({ state: "error", usage: noUsage, summary: null, error });
		let toolbox: Toolbox | undefined;
		try {
			const definition = await this.#options.define(run);
			if (!definition) return fail(`The agent ${run.agentId} is not there any more.`);
			const keys = run.request.keys ?? keyChain(definition.agent, usersKeys);
			const models = this.#options.models.forAgents(keys);
			const model = models.find(run.model);
			if (!model) return fail(`The model ${run.model} is not available any more.`);
			toolbox = await this.#options.openToolbox(run, definition, live);
			const { tools } = toolbox;
			const { registry, database, clock, logger } = this.#options;
			// A spawned run has nothing behind it.
			if (run.cause !== "spawn") await reportOpenEffects(run, { ...toolbox, database, clock });
			const date = new Date(clock.now()).toISOString().slice(0, 10);
			const { compactionModel } = definition;
			return await executeRun({
				run,
				live,
				agent: definition.agent,
				model,
				system: await composeBrief(run, definition, toolbox, { model, logger, date }),
				history: toMessages(await readConversation(database, run.sessionId)),
				summariser: async () =>
					compactionModel === undefined ? model : (await models.resolve([compactionModel, model.ref])).model,
				status: () => this.#options.statusFor(run),
				tools,
				runTool: (call, signal, watchdog) => (toolbox as Toolbox).runTool(call, signal, watchdog),
				boundary: (turn, watchdog) => this.#boundary(run, live, turn, watchdog),
				wait: (ms, signal) => this.#wait(ms, signal, run, live),
				pauses: this.#pauses,
				tellProgress: (facts) => void this.#tellProgress(run, facts),
				spending: new Spending(run, { shared: definition.budgets, database, clock, logger }),
				registry,
				database,
				clock,
			});
		} catch (error) {
			return fail(messageOf(error));
		} finally {
			await toolbox?.dispose();
		}
	}

	#wait(ms: number, signal: AbortSignal, run: Run, live: LiveRun): Promise<void> {
		const { database, clock, registry } = this.#options;
		const onReturning = () => registry.note(run.id, { activity: "waits for room in its lane" });
		const onChanged = (changed: Run) => this.#options.onChanged(changed, []);
		return backOff(ms, signal, { live, database, clock, onReturning, onChanged });
	}

	/** Whoever looks may miss it; the run goes on without a word. */
	async #tellProgress({ id: runId }: Run, facts: ProgressFacts): Promise<void> {
		const { database, clock, logger } = this.#options;
		try {
			const told = await database.call("recordProgress", { runId, ...facts, at: clock.now() });
			if (told && !this.#isClosed) this.#options.onChanged(told.run, told.events);
		} catch (error) {
			if (!this.#isClosed) logger.warn(`How far a run is could not be told: ${messageOf(error)}`, { runId });
		}
	}

	/** Between turns: somebody may have paused it, said something to it, or a child of it has ended. */
	async #boundary(run: Run, live: LiveRun, turn: number, watchdog: Watchdog): Promise<readonly ModelMessage[]> {
		const { database, clock, announcer } = this.#options;
		await this.#pauseIfAsked(run, live, watchdog);
		const input = { sessionId: run.sessionId, runId: run.id, turn, at: clock.now() };
		const said = await database.call("takeMessages", input);
		const announced = run.kind === "main" || run.requesterSessionId !== null ? await announcer.takeAtBoundary(run) : [];
		const mustSayStatus = !live.knowsStatus || announced.length > 0;
		live.knowsStatus = true;
		const status = mustSayStatus ? await this.#options.statusFor(run) : null;
		return [
			...said.map((text) => ({ role: "user", text }) as const),
			...announced,
			...(status === null ? [] : [{ role: "user", text: status } as const]),
		];
	}

	async #pauseIfAsked(run: Run, live: LiveRun, watchdog: Watchdog): Promise<void> {
		const { database, clock } = this.#options;
		const resumed = live.untilResumed();
		const paused = await database.call("pauseIfAsked", { runId: run.id, at: clock.now() });
		if (!paused) return;
		watchdog.pause();
		this.#options.onChanged(paused.run, paused.events);
		await resumed;
		watchdog.resume();
	}
}
