import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { summarize, summarizePlan } from "../announce/announcement.ts";
import { messageOf } from "../base/errors.ts";
import {
	runAgentLoop,
	type Compaction,
	type CompactionRequest,
	type LoopEvent,
	type LoopOutcome,
} from "../loop/agentLoop.ts";
import type { Model, ModelErrorKind, ModelMessage, ToolCall } from "../models/modelPort.ts";
import type { Clock } from "../ports/clock.ts";
import { type Finding, readFindings, withoutFindings } from "../runs/finding.ts";
import type { Run, Usage } from "../runs/run.ts";
import { noUsage } from "../runs/run.ts";
import type { TerminalState } from "../runs/runState.ts";
import type { Database } from "../store/database.ts";
import { describeToolCall } from "../tools/describeToolCall.ts";
import type { Tool, ToolResult } from "../tools/tool.ts";
import { toToolSchema } from "../tools/toToolSchema.ts";
import { findTool } from "../tools/findTool.ts";
import { compactSession } from "./compactSession.ts";
import type { LiveRun } from "./liveRun.ts";
import { Progress, type ProgressFacts } from "./progress.ts";
import { recordLoopEvent } from "./recordLoopEvent.ts";
import type { ProviderPauses } from "./providerPauses.ts";
import { nextDelay, retryDelay } from "./retryDelay.ts";
import type { RunRegistry } from "./runRegistry.ts";
import type { Spending } from "./spending.ts";
import { streamInto } from "./streamEvent.ts";
import { TranscriptWriter } from "./transcriptWriter.ts";
import { Watchdog } from "./watchdog.ts";

const defaultMaxTurns = 50;
const defaultFirstTokenMs = 1_800_000;
const defaultSilenceSeconds = 120;

export interface ExecuteRun {
	readonly run: Run;
	readonly live: LiveRun;
	readonly agent: AgentDefinition;
	readonly model: Model;
	readonly system: string;
	/** The model that summarises older turns. Asked for when it is needed. */
	summariser(): Promise<Model>;
	/** How its children are; null where there is nothing to say. */
	status(): Promise<string | null>;
	/** The session until now, as the model reads it. */
	readonly history: readonly ModelMessage[];
	/** The agent's effective set. */
	readonly tools: readonly Tool[];
	/** Runs one call; never throws. `watchdog` is paused while a person is asked. */
	runTool(call: ToolCall, signal: AbortSignal, watchdog: Watchdog): Promise<ToolResult>;
	/** What was said to the session meanwhile; may wait, when somebody paused the run. */
	boundary(turn: number, watchdog: Watchdog): Promise<readonly ModelMessage[]>;
	/** Waits before a model is asked again: resolves after the time, or at once when the signal fires. */
	wait(ms: number, signal: AbortSignal): Promise<void>;
	readonly pauses: ProviderPauses;
	/** Tells everybody how far it is. */
	tellProgress(facts: ProgressFacts): void;
	/** What it may use up. */
	readonly spending: Spending;
	readonly registry: RunRegistry;
	readonly database: Database;
	readonly clock: Clock;
}

/** How a run ended; recording it is the caller's. */
export interface RunResult {
	readonly state: TerminalState;
	readonly usage: Usage;
	readonly turns?: number;
	readonly toolCalls?: number;
	readonly summary: string | null;
	readonly findings?: readonly Finding[];
	readonly error: string | null;
	/** Of its model, where that ended it. */
	readonly failure?: ModelErrorKind;
	readonly model?: string;
	/** All of its last words; null when it said nothing. */
	readonly answer?: string | null;
}

function watchdogOf({ run, agent, clock }: ExecuteRun): Watchdog {
	return new Watchdog(clock, {
		wallMs: run.request.runTimeoutSeconds * 1000,
		firstTokenMs: agent.timeoutSeconds === 0 ? 0 : defaultFirstTokenMs,
		silenceMs: (agent.timeoutSeconds ?? defaultSilenceSeconds) * 1000,
	});
}

/** Executes one started run to its end and says how it ended. Never throws. */
export async function executeRun(input: ExecuteRun): Promise<RunResult> {
	const { run, agent, clock, live, spending } = input;
	const writer = new TranscriptWriter(input.database, clock, run, streamInto(input.registry, run));
	const watchdog = watchdogOf(input);
	const thinking = run.request.thinking ?? agent.thinking;
	const state = { modelId: null as string | null };
	const signal = AbortSignal.any([live.stop, watchdog.signal, spending.signal]);
	const progress = new Progress(clock, (facts) => input.tellProgress(facts));
	try {
		await spending.begin();
		const { outcome, usage } = await runAgentLoop({
			model: input.model,
			system: input.system,
			messages: input.history,
			tools: input.tools.map(toToolSchema),
			...(thinking && { reasoning: thinking }),
			maxTurns: agent.maxTurns ?? defaultMaxTurns,
			signal,
			runTool: (call, ended) => spending.duringCall(call, () => input.runTool(call, ended, watchdog)),
			isParallelSafe: (call) => isParallelSafe(call, input.tools),
			boundary: async (turn) => {
				await writer.flush();
				return input.boundary(turn, watchdog);
			},
			onProgress: () => watchdog.progress(),
			judgeBudget: () => spending.judge(),
			retryDelay,
			compact: (request) => compact(request, input, writer, watchdog),
			wait: (ms, ended) => input.wait(ms, ended),
			emit(event) {
				if (event.type === "answered" && event.modelId !== null) state.modelId = event.modelId;
				if (event.type === "turn-started") return beginTurn(input, watchdog, signal);
				watch(watchdog, event);
				progress.note(event);
				const noted = spend(spending, event);
				noteActivity(input, event, clock);
				return noted ?? noteProvider(input, event, () => recordLoopEvent(writer, event));
			},
		});
		const ending = conclude(endedBy(outcome, spending, live), usage, live, watchdog, summarizerOf(run));
		if (ending.state !== "ok")
			await writer.append("notice", 0, describeEnd(endedBy(outcome, spending, live), ending, live));
		const findings = await findingsOf(ending, input, writer);
		await writer.close();
		const { turns, toolCalls } = spending.work;
		return {
			...ending,
			turns,
			toolCalls,
			...(findings && { findings }),
			...(state.modelId !== null && { model: withModelId(run.model, state.modelId) }),
		};
	} catch (error) {
		const message = `Its transcript could not be saved. ${messageOf(error)}`;
		return { state: "error", usage: noUsage, summary: null, error: message };
	} finally {
		progress.dispose();
		watchdog.dispose();
	}
}

/** The silence of the model begins when it may be asked: a pause that its provider wants is none. */
async function beginTurn(input: ExecuteRun, watchdog: Watchdog, signal: AbortSignal): Promise<void> {
	await waitForProvider(input.run.model, input, signal);
	watchdog.expectFirstToken();
}

async function waitForProvider(model: string, input: ExecuteRun, signal: AbortSignal): Promise<void> {
	const { run, registry, pauses } = input;
	const onWait = (until: number, reason: string) =>
		registry.note(run.id, { activity: `waits until ${timeOf(until)}: ${reason}` });
	const wait = (ms: number, ended: AbortSignal) => input.wait(ms, ended);
	await pauses.heed(model, { signal, wait, onWait });
}

/** What one run hears from its provider, all others heed. */
function noteProvider(
	{ run, pauses }: ExecuteRun,
	event: LoopEvent,
	record: () => Promise<void> | undefined,
): Promise<void> | undefined {
	if (event.type === "answered") pauses.answered(run.model);
	if (event.type === "turn-failed") return pauses.failed(run.model, event.error, nextDelay(event.error, event.attempt));
	if (event.type !== "turn-withdrawn") return record();
	return pauses.failed(run.model, event.error, event.delayMs).then(record);
}

/** What the store does not keep, how the children are, is said again. */
async function compact(
	request: CompactionRequest,
	input: ExecuteRun,
	writer: TranscriptWriter,
	watchdog: Watchdog,
): Promise<Compaction> {
	const { run, model, database } = input;
	const wait = (ms: number, signal: AbortSignal) => input.wait(ms, signal);
	const summariser = await input.summariser();
	await waitForProvider(summariser.ref, input, request.signal);
	const options = { run, model, summariser, database, writer, watchdog, pauses: input.pauses, wait };
	const compaction = await compactSession(request, options);
	const text = compaction.ok ? await input.status() : null;
	if (!compaction.ok || text === null) return compaction;
	return { ...compaction, messages: [...compaction.messages, { role: "user", text }] };
}

/** What only looks may run beside others. What can't be run anyhow is answered at once. */
function isParallelSafe(call: ToolCall, tools: readonly Tool[]): boolean {
	const prepared = findTool(call.toolName, tools)?.prepare(call.input);
	return !prepared?.ok || prepared.effect.kind === "read" || prepared.effect.kind === "none";
}

function spend(spending: Spending, event: LoopEvent): Promise<void> | undefined {
	if (event.type === "text" || event.type === "reasoning") spending.streamed(event.delta);
	return event.type === "turn-ended" ? spending.turnEnded(event.turn, event.usage) : undefined;
}

/** A stop for want of budget is an early end, with what there is. */
function endedBy(outcome: LoopOutcome, { stoppedBecause }: Spending, live: LiveRun): LoopOutcome {
	if (outcome.kind !== "stopped" || stoppedBecause === null || live.stop.aborted) return outcome;
	return { kind: "partial", text: outcome.text, reason: stoppedBecause };
}

function watch(watchdog: Watchdog, event: LoopEvent): void {
	if (event.type === "text" || event.type === "reasoning") {
		if (event.delta !== "") watchdog.progress();
	} else if (event.type === "turn-ended") watchdog.rest();
}

/** A tool stays shown until the model speaks again: most are over sooner than anybody could read their name. */
function noteActivity({ run, registry, tools, spending }: ExecuteRun, event: LoopEvent, clock: Clock): void {
	if (event.type === "tool-called") registry.note(run.id, { activity: describeToolCall(event.call, tools) });
	if (event.type === "text") registry.note(run.id, { activity: null });
	if (event.type === "compacting") registry.note(run.id, { activity: "summarises its older turns" });
	if (event.type === "compacted") registry.note(run.id, { activity: null, usage: event.usage });
	if (event.type === "turn-ended") registry.note(run.id, { usage: event.usage, work: spending.work });
	if (event.type === "turn-withdrawn") {
		const nextTry = { at: clock.now() + event.delayMs, reason: event.error.message };
		registry.note(run.id, { activity: `asks again at ${timeOf(nextTry.at)}: ${nextTry.reason}`, nextTry });
	}
}

function timeOf(at: number): string {
	return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}

function conclude(
	outcome: LoopOutcome,
	usage: Usage,
	live: LiveRun,
	watchdog: Watchdog,
	toSummary: (answer: string) => string,
): RunResult {
	switch (outcome.kind) {
		case "finished":
			return { state: "ok", usage, summary: toSummary(outcome.text), error: null, answer: outcome.text };
		case "partial":
			return { state: "partial", usage, summary: toSummary(outcome.text) || null, error: null, answer: outcome.text };
		case "failed":
			return {
				state: "error",
				usage,
				summary: null,
				error: outcome.message,
				...(outcome.failure && { failure: outcome.failure }),
			};
		case "stopped":
			return live.stop.aborted || watchdog.bark === undefined
				? { state: "canceled", usage, summary: null, error: null }
				: { state: "timeout", usage, summary: null, error: barks[watchdog.bark] };
	}
}

function summarizerOf({ request }: Run): (answer: string) => string {
	return request.planMode ? summarizePlan : (answer) => summarize(withoutFindings(answer) || answer);
}

/** Of a success alone; what is wrong with them makes none of it. */
async function findingsOf(
	{ state, answer = null }: RunResult,
	{ agent, run }: ExecuteRun,
	writer: TranscriptWriter,
): Promise<readonly Finding[] | undefined> {
	const isAsked = agent.emitStructuredFindings === true && run.kind === "subagent" && !run.request.planMode;
	if (!isAsked || state !== "ok" || answer === null) return undefined;
	const read = readFindings(answer);
	if (read.ok) return read.findings;
	await writer.append("notice", 0, `Its findings ${read.problem}, so there are none on its record.`);
	return undefined;
}

const barks = {
	wall: "It reached its time limit.",
	firstToken: "The model did not begin to answer in time.",
	silence: "The model fell silent in the middle of its answer.",
} as const;

function describeEnd(outcome: LoopOutcome, result: RunResult, live: LiveRun): string {
	if (result.error !== null) return result.error;
	return outcome.kind === "partial" ? outcome.reason : live.stopReason;
}

/** The record names what answered: `provider/` stays, the model's own name follows. */
function withModelId(reference: string, modelId: string): string {
	return `${reference.slice(0, reference.indexOf("/"))}/${modelId}`;
}
