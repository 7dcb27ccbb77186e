import { rgPath } from "@vscode/ripgrep";
import { type LoopOutcome, runAgentLoop } from "../../../../src/core/loop/agentLoop.ts";
import type { ModelMessage, ToolCall } from "../../../../src/core/models/modelPort.ts";
import { createBuiltinTools } from "../../../../src/core/tools/builtinTools.ts";
import { dispatchToolCall } from "../../../../src/core/tools/dispatchToolCall.ts";
import { toToolSchema } from "../../../../src/core/tools/toToolSchema.ts";
import { readingGate } from "../../../fakes/readingGate.ts";
import { aRunsServices } from "../tools/execute.ts";
import { demoModel } from "./askDemo.ts";

export interface DemoRun {
	readonly outcome: LoopOutcome;
	readonly text: string;
	readonly calls: readonly ToolCall[];
	/** How many of the calls each turn made. */
	readonly callsByTurn: readonly number[];
}

/** The demo model in the real loop, with the real tools on a real folder; without a folder they refuse everything. */
export async function runDemo(
	task: string | readonly ModelMessage[],
	folder: string | null,
	{ system = "You are a subagent.", tools = ["list_dir", "read_file", "grep"] } = {},
): Promise<DemoRun> {
	const available = createBuiltinTools({ ripgrepPath: rgPath }).filter(({ name }) => tools.includes(name));
	const gate = readingGate(folder === null ? [] : [folder]);
	const { signal } = new AbortController();
	const services = aRunsServices();
	const calls: ToolCall[] = [];
	const callsByTurn: number[] = [];
	const { outcome } = await runAgentLoop({
		model: demoModel(),
		system,
		messages: typeof task === "string" ? [{ role: "user", text: task }] : task,
		tools: available.map(toToolSchema),
		maxTurns: 50,
		signal,
		runTool: (call) => dispatchToolCall(call, { tools: available, gate, root: folder ?? "", signal, services }),
		isParallelSafe: () => true,
		boundary: () => Promise.resolve([]),
		retryDelay: () => null,
		wait: () => Promise.resolve(),
		emit(event) {
			if (event.type !== "tool-called") return;
			calls.push(event.call);
			callsByTurn[event.turn - 1] = (callsByTurn[event.turn - 1] ?? 0) + 1;
		},
	});
	return { outcome, text: outcome.kind === "finished" ? outcome.text : "", calls, callsByTurn };
}
