import { messageOf } from "../base/errors.ts";
import { hashBytes } from "../base/hashBytes.ts";
import type { ToolCall } from "../models/modelPort.ts";
import type { Ask, Decision, PermissionGate, SideEffect } from "../permissions/sideEffect.ts";
import { findTool } from "./findTool.ts";
import { nearestName } from "../base/nearestName.ts";
import { shorten } from "./shorten.ts";
import type { PersonsAnswer, PreparedToolCall, Tool, ToolResult } from "./tool.ts";
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
	/** Asks a person; without it, nobody can be asked. */
	ask?(question: Ask, tool: string): Promise<PersonsAnswer>;
	/** Why the run has given up this call for now, e.g. by a skill; written for the model. It can only take away. */
	findRefusal?(tool: string, effect: SideEffect): Promise<string | undefined>;
	/** Commits that a call is about to reach the world. Rejects when it must not. */
	begin?(effect: BegunEffect): Promise<void>;
}

export interface BegunEffect {
	readonly callId: string;
	readonly tool: string;
	readonly kind: string;
	readonly subject: string;
	readonly inputHash: string;
	/** The rule, default or answer that allows it. */
	readonly because: string;
}

type Allowed = Extract<Decision, { verdict: "allow" }>;
type Refused = { readonly verdict: "refused"; readonly reason: string };

/**
 * Runs one tool call: finds the tool, checks its input, asks the gate, executes. The only way to a tool's effect.
 * Never throws: whatever goes wrong is a result that tells the model what to do next.
 */
export async function dispatchToolCall(call: ToolCall, context: DispatchContext): Promise<ToolResult> {
	const { tools, root, signal, services } = context;
	const tool = findTool(call.toolName, tools);
	if (tool === undefined) return failed(explainMissingTool(call.toolName, tools));
	try {
		const prepared = tool.prepare(call.input);
		if (!prepared.ok)
			return failed(`${tool.name} cannot use this input. ${prepared.problem}. Correct it and call again.`);
		const refusal = await context.findRefusal?.(tool.name, prepared.effect);
		if (refusal !== undefined) return failed(refusal);
		const passed = await pass(tool.name, prepared, context);
		if (passed.verdict === "refused") return failed(passed.reason);
		signal.throwIfAborted();
		await begin(call, tool.name, prepared, passed, context);
		const askPerson = context.ask?.bind(context);
		const ask = askPerson && ((question: Ask) => askPerson(question, tool.name));
		const own = { path: passed.path, root, callId: call.toolCallId, signal };
		return await prepared.execute({ ...services, ...own, ...(ask && { ask }) });
	} catch (error) {
		if (signal.aborted) return failed(`${tool.name} was stopped.`);
		return failed(`${tool.name} did not work: ${messageOf(error)}. Try another way, or say so in your report.`);
	}
}

/** Through the gate, by way of a person where it asks for one. */
async function pass(tool: string, { effect }: PreparedToolCall, context: DispatchContext): Promise<Allowed | Refused> {
	const decision = await context.gate.decide(effect, tool);
	if (decision.verdict === "allow") return decision;
	if (decision.verdict === "deny") return refuse(decision.reason);
	const { ask: question, path } = decision;
	const answer = await context.ask?.(question, tool);
	if (!answer) return refuse(`${tool} needs a person's word, and nobody can be asked here.`);
	if (!answer.isAllowed) return refuse(answer.reason);
	// People take their time: what they have allowed must still be what would happen.
	const now = await context.gate.decide(effect, tool);
	if (now.verdict === "deny") return refuse(now.reason);
	const isSame = now.verdict === "allow" || now.ask.subject === question.subject;
	if (!isSame || now.path !== path) {
		return refuse(`What ${tool} would touch changed while a person was asked. Look again, then decide.`);
	}
	return { verdict: "allow", path, because: answer.because };
}

function refuse(reason: string): Refused {
	return { verdict: "refused", reason };
}

/** What only looks needs no record. */
async function begin(
	call: ToolCall,
	tool: string,
	{ effect, subject }: PreparedToolCall,
	{ path, because }: Allowed,
	context: DispatchContext,
): Promise<void> {
	if (effect.kind === "none" || effect.kind === "read") return;
	const inputHash = hashBytes(Buffer.from(JSON.stringify(call.input) ?? "null"));
	await context.begin?.({
		callId: call.toolCallId,
		tool,
		kind: effect.kind,
		subject: path || subject,
		inputHash,
		because,
	});
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
