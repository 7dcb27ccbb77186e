import { messageOf } from "../base/errors.ts";
import type { ToolCall } from "../models/modelPort.ts";
import type { PermissionGate } from "../permissions/sideEffect.ts";
import { findTool } from "./findTool.ts";
import { nearestName } from "../base/nearestName.ts";
import { shorten } from "./shorten.ts";
import type { Tool, ToolResult } from "./tool.ts";
import { builtinToolNames, canonicalToolName } from "./toolNames.ts";
import { isSessionTool } from "./toolPolicy.ts";
import { failed } from "./toolResult.ts";
import type { ToolServices } from "./toolServices.ts";
import { explainUnavailableTool } from "./unavailableTools.ts";

export interface DispatchContext {
	/** The agent's effective tools: what is not among them does not run, whatever the model was told. */
	readonly tools: readonly Tool[];
	readonly gate: PermissionGate;
	/** The real path of the workspace folder. */
	readonly root: string;
	readonly signal: AbortSignal;
	/** The run's own: what its tools share from call to call, and reach the world by. */
	readonly services: ToolServices;
}

/**
 * Runs one tool call: finds the tool, checks its input, asks the gate, executes. The only way to a tool's effect.
 * Never throws: whatever goes wrong is a result that tells the model what to do next.
 */
export async function dispatchToolCall(call: ToolCall, context: DispatchContext): Promise<ToolResult> {
	const { tools, gate, root, signal, services } = context;
	const tool = findTool(call.toolName, tools);
	if (tool === undefined) return failed(explainMissingTool(call.toolName, tools));
	try {
		const prepared = tool.prepare(call.input);
		if (!prepared.ok)
			return failed(`${tool.name} cannot use this input. ${prepared.problem}. Correct it and call again.`);
		const decision = await gate.decide(prepared.effect, tool.name);
		if (decision.verdict === "deny") return failed(decision.reason);
		if (decision.verdict === "ask") return failed(`${tool.name} needs a person's word, and nobody can be asked here.`);
		signal.throwIfAborted();
		return await prepared.execute({ ...services, path: decision.path, root, callId: call.toolCallId, signal });
	} catch (error) {
		if (signal.aborted) return failed(`${tool.name} was stopped.`);
		return failed(`${tool.name} did not work: ${messageOf(error)}. Try another way, or say so in your report.`);
	}
}

function explainMissingTool(name: string, tools: readonly Tool[]): string {
	const shown = shorten(name, 80);
	const canonical = canonicalToolName(shown);
	const unavailable = explainUnavailableTool(canonical);
	if (unavailable !== undefined) return unavailable;
	const names = tools.map((tool) => tool.name);
	const rest =
		names.length > 0 ? `Available tools: ${names.join(", ")}.` : "This agent has no tools: answer without them.";
	if (isSessionTool(canonical) || builtinToolNames.some((known) => known === canonical)) {
		return `${canonical} is not allowed for this agent. ${rest}`;
	}
	const nearest = nearestName(canonical, names);
	return `There is no tool named ${JSON.stringify(shown)}.${nearest ? ` Did you mean ${nearest}?` : ""} ${rest}`;
}
