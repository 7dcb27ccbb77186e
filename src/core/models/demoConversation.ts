import { isPlanMode } from "./demoPlanMode.ts";
import { type DemoTask, readTask } from "./demoTask.ts";
import type { ModelMessage, ModelRequest } from "./modelPort.ts";

/** A tool call of the current task, and what came back. */
export interface DemoStep {
	readonly tool: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly text: string;
	readonly isError: boolean;
}

/** What a request means to the demo model. */
export interface DemoConversation {
	/** The task, and what was said to it while it was being worked on. */
	readonly tasks: readonly [DemoTask, ...DemoTask[]];
	readonly steps: readonly DemoStep[];
	/** How often it was answered already. */
	readonly turn: number;
	readonly isPlan: boolean;
	/** Whether a plan was approved, so that it is to be carried out. */
	readonly isApproved: boolean;
}

/** Reads a request. Everything that the demo model knows is here; it remembers nothing between requests. */
export function readConversation({ system, messages }: ModelRequest): DemoConversation {
	const { taskAt, isDecision } = findTaskAt(messages);
	const own = messages.slice(taskAt);
	const asked = (isDecision ? messages : own).filter(isAsking).map(({ text }) => text);
	const [first = "", ...more] =
		asked.length > 0 ? asked : messages.flatMap((each) => (each.role === "user" ? each.text : []));
	return {
		tasks: [readTask(first), ...more.map(readTask)],
		steps: readSteps(own),
		turn: own.filter(({ role }) => role === "assistant").length,
		isPlan: isPlanMode(system),
		isApproved: asked.some((text) => text.startsWith("APPROVED")),
	};
}

/**
 * Where the current task begins: with the first message after the last answer that called no tool. A decision about a
 * plan is no task of its own; it continues the one before.
 */
export function findTaskAt(messages: readonly ModelMessage[]): {
	readonly taskAt: number;
	readonly isDecision: boolean;
} {
	const answeredAt = messages.findLastIndex(
		(message) => message.role === "assistant" && message.toolCalls.length === 0,
	);
	const offset = messages.slice(answeredAt + 1).findIndex(isAsking);
	const taskAt = answeredAt + 1 + Math.max(0, offset);
	const message = messages[taskAt];
	return { taskAt, isDecision: message?.role === "user" && /^(?:APPROVED|REJECTED)\b/u.test(message.text) };
}

/** News from children and from Muster itself begin with a mark in brackets, and ask for nothing. */
function isAsking(message: ModelMessage): message is ModelMessage & { readonly role: "user" } {
	return message.role === "user" && !/^\[(?:subagent|plan|muster)\b/iu.test(message.text);
}

function readSteps(messages: readonly ModelMessage[]): DemoStep[] {
	const results = new Map(messages.flatMap((each) => (each.role === "tool" ? [[each.toolCallId, each] as const] : [])));
	return messages.flatMap((message) => {
		if (message.role !== "assistant") return [];
		return message.toolCalls.map(({ toolCallId, toolName, input }) => {
			const { text = "There was no answer.", isError = true } = results.get(toolCallId) ?? {};
			return { tool: toolName, input: { ...Object(input) }, text, isError };
		});
	});
}
