import os from "node:os";
import * as z from "zod";
import { runAgentLoop } from "../../../src/core/loop/agentLoop.ts";
import { createHttpProvider } from "../../../src/core/models/httpProvider.ts";
import type { PermissionGate } from "../../../src/core/permissions/sideEffect.ts";
import { systemClock } from "../../../src/core/ports/clock.ts";
import { ProcessGroups } from "../../../src/core/processes/processGroup.ts";
import { defineTool } from "../../../src/core/tools/defineTool.ts";
import { dispatchToolCall, type DispatchContext } from "../../../src/core/tools/dispatchToolCall.ts";
import { toToolSchema } from "../../../src/core/tools/toToolSchema.ts";
import { createToolServices } from "../../../src/core/tools/toolServices.ts";
import { type AgentTask, commonTask } from "./contestant.ts";

// One for all runs of a process, as the product has them.
const processes = new ProcessGroups({ clock: systemClock });
const gate: PermissionGate = { decide: () => Promise.resolve({ verdict: "allow", path: "", because: "bench" }) };
const readFile = defineTool({
	name: commonTask.tool.name,
	description: commonTask.tool.description,
	input: z.strictObject({ path: z.string() }),
	effect: () => ({ kind: "none" }),
	subject: ({ path }) => path,
	execute: (input) => Promise.resolve({ text: commonTask.tool.execute(input), isError: false }),
});

/** Our port, our loop and our way to a tool, without store and surfaces, as the peers have none either. */
export async function runAgent({ baseUrl, model: modelId, ...task }: AgentTask): Promise<void> {
	const provider = createHttpProvider({
		id: "bench",
		label: "Bench",
		baseUrl,
		wire: "chat",
		apiKey: () => Promise.resolve("none"),
	});
	const model = provider.model(modelId);
	if (!model) throw new Error(`There is no model ${modelId}`);
	const context = dispatchContext(task.signal);
	const { outcome } = await runAgentLoop({
		model,
		system: task.system,
		messages: [{ role: "user", text: task.prompt }],
		tools: context.tools.map(toToolSchema),
		maxTurns: task.maxTurns,
		signal: task.signal,
		runTool: (call, signal) => dispatchToolCall(call, { ...context, signal }),
		isParallelSafe: () => true,
		boundary: () => Promise.resolve([]),
		retryDelay: () => null,
		wait: () => Promise.resolve(),
		emit(event) {
			if (event.type === "text") task.onText(event.delta);
		},
	});
	if (outcome.kind !== "finished" && !task.signal.aborted) throw new Error(JSON.stringify(outcome));
}

function dispatchContext(signal: AbortSignal): DispatchContext {
	const services = createToolServices({ runId: "run_bench", clock: systemClock, processes, env: {} });
	return { tools: [readFile], gate, root: os.tmpdir(), signal, services };
}
