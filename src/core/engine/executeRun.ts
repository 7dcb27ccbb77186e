import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { summarize, type RunResult } from "../announce/announcement.ts";
import { messageOf } from "../base/errors.ts";
import { runAgentLoop, type LoopEvent, type LoopOutcome } from "../loop/agentLoop.ts";
import type { Model } from "../models/modelPort.ts";
import type { PermissionGate } from "../permissions/sideEffect.ts";
import type { Clock } from "../ports/clock.ts";
import type { Run, Usage } from "../runs/run.ts";
import { composeFirstMessage, composeSystemPrompt } from "../spawn/subagentPrompt.ts";
import type { Database } from "../store/database.ts";
import { describeToolCall } from "../tools/describeToolCall.ts";
import { dispatchToolCall } from "../tools/dispatchToolCall.ts";
import type { Tool } from "../tools/tool.ts";
import { toToolSchema } from "../tools/toToolSchema.ts";
import type { RunRegistry } from "./runRegistry.ts";
import { TranscriptWriter } from "./transcriptWriter.ts";

const defaultMaxTurns = 50;
const defaultTimeoutSeconds = 900;

export interface ExecuteRun {
	readonly run: Run;
	readonly agent: AgentDefinition;
	readonly model: Model;
	/** The agent's effective set. */
	readonly tools: readonly Tool[];
	readonly gate: PermissionGate;
	/** The real path of the workspace folder, or null when none is open: then the gate lets no file tool through. */
	readonly root: string | null;
	readonly registry: RunRegistry;
	readonly database: Database;
	readonly clock: Clock;
	/** Fires when somebody stops the run. */
	readonly stop: AbortSignal;
}

/** Executes one started run to its end and says how it ended. Never throws; recording the end is the caller's. */
export async function executeRun(input: ExecuteRun): Promise<RunResult> {
	const { run, agent, clock } = input;
	const writer = new TranscriptWriter(input.database, clock, run);
	const wallClock = startWallClock(clock, agent.runTimeoutSeconds ?? defaultTimeoutSeconds);
	const signal = AbortSignal.any([input.stop, wallClock.signal]);
	const { outcome, usage } = await runAgentLoop({
		model: input.model,
		system: composeSystemPrompt(agent, run.task, {
			folder: input.root,
			platform: process.platform,
			date: new Date(clock.now()).toISOString().slice(0, 10),
		}),
		messages: [{ role: "user", text: composeFirstMessage(run.task, run.context) }],
		tools: input.tools.map(toToolSchema),
		...(agent.thinking && { reasoning: agent.thinking }),
		maxTurns: agent.maxTurns ?? defaultMaxTurns,
		signal,
		runTool: (call, toolSignal) =>
			dispatchToolCall(call, { tools: input.tools, gate: input.gate, root: input.root ?? "", signal: toolSignal }),
		report(event) {
			record(writer, event);
			noteActivity(input, event);
		},
	});
	wallClock.dispose();
	const ending = conclude(outcome, usage, wallClock.signal.aborted && !input.stop.aborted);
	if (ending.state !== "ok") writer.append("notice", 0, ending.error ?? describeEarlyEnd(outcome));
	return finish(writer, { ...ending, at: clock.now() });
}

/** 0 = none. */
function startWallClock(clock: Clock, seconds: number): { signal: AbortSignal; dispose(): void } {
	const controller = new AbortController();
	if (seconds === 0) return { signal: controller.signal, dispose: () => undefined };
	const timer = clock.after(seconds * 1000, () => controller.abort());
	return { signal: controller.signal, dispose: () => timer.dispose() };
}

/** A tool stays shown until the model speaks again: most are over sooner than anybody could read their name. */
function noteActivity({ run, registry, tools }: ExecuteRun, event: LoopEvent): void {
	if (event.type === "tool-called") registry.note(run.id, { activity: describeToolCall(event.call, tools) });
	if (event.type === "text") registry.note(run.id, { activity: null });
	if (event.type === "turn-ended") registry.note(run.id, { usage: event.usage });
}

function record(writer: TranscriptWriter, event: LoopEvent): void {
	switch (event.type) {
		case "text":
		case "reasoning":
			return writer.stream(event.type, event.turn, event.delta);
		case "tool-called": {
			const { toolName, toolCallId, input } = event.call;
			const tool = { name: toolName, callId: toolCallId, isError: false };
			return writer.append("tool_call", event.turn, JSON.stringify(input) ?? "null", tool);
		}
		case "tool-returned": {
			const { call, result, turn } = event;
			const tool = { name: call.toolName, callId: call.toolCallId, isError: result.isError };
			return writer.append("tool_result", turn, result.text, tool);
		}
		case "turn-ended":
			return;
	}
}

function conclude(outcome: LoopOutcome, usage: Usage, isTimedOut: boolean): Omit<RunResult, "at"> {
	switch (outcome.kind) {
		case "finished":
			return { state: "ok", usage, summary: summarize(outcome.text), error: null };
		case "partial":
			return { state: "partial", usage, summary: summarize(outcome.text) || null, error: null };
		case "failed":
			return { state: "error", usage, summary: null, error: outcome.message };
		case "stopped":
			return isTimedOut
				? { state: "timeout", usage, summary: null, error: "It reached its time limit." }
				: { state: "canceled", usage, summary: null, error: null };
	}
}

function describeEarlyEnd(outcome: LoopOutcome): string {
	return outcome.kind === "partial" ? outcome.reason : "Stopped.";
}

/** A transcript that could not be written whole is a failure, whatever the model said. */
async function finish(writer: TranscriptWriter, result: RunResult): Promise<RunResult> {
	try {
		await writer.close();
		return result;
	} catch (error) {
		return { ...result, state: "error", error: `Its transcript could not be saved. ${messageOf(error)}` };
	}
}
