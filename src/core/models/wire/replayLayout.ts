import type { ModelMessage, ToolCall } from "../modelPort.ts";
import { isJson } from "./json.ts";

/**
 * The order of an answer's blocks. Signed thinking is only accepted back where it stood between text and calls, while the
 * message keeps text and calls apart; so texts are kept by length and calls by id.
 */
export type LayoutBlock = { readonly own: unknown } | { readonly text: number } | { readonly call: string };

export interface Replay {
	readonly dialect: string;
	/** Signatures are only valid for the model that gave them. */
	readonly modelId: string;
	readonly blocks: readonly LayoutBlock[];
}

/** A block of an assistant message in its order. */
export type AssistantBlock = { readonly own: unknown } | { readonly text: string } | { readonly call: ToolCall };

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;

/** The message as blocks, with the adapter's own ones where they were. What does not fit the message is left out. */
export function layOut(message: AssistantMessage, dialect: string, modelId: string): readonly AssistantBlock[] {
	const replay = readReplay(message.replay);
	const isOurs = replay?.dialect === dialect && replay.modelId === modelId;
	return (isOurs ? restore(message, replay.blocks) : undefined) ?? plain(message);
}

/** Results go back to a model that did not begin its last answer with thinking of its own. */
export function isInForeignLoop(messages: readonly ModelMessage[], dialect: string, modelId: string): boolean {
	if (messages.at(-1)?.role !== "tool") return false;
	const last = messages.findLast((message) => message.role === "assistant");
	return last !== undefined && !layOut(last, dialect, modelId).some((block) => "own" in block);
}

function plain({ text, toolCalls }: AssistantMessage): AssistantBlock[] {
	return [...(text === "" ? [] : [{ text }]), ...toolCalls.map((call) => ({ call }))];
}

function restore(message: AssistantMessage, blocks: readonly LayoutBlock[]): AssistantBlock[] {
	const calls = new Map(message.toolCalls.map((call) => [call.toolCallId, call]));
	const restored: AssistantBlock[] = [];
	let at = 0;
	for (const block of blocks) {
		if ("own" in block) restored.push(block);
		else if ("text" in block) {
			restored.push({ text: message.text.slice(at, at + block.text) });
			at += block.text;
		} else {
			const call = calls.get(block.call);
			if (call) restored.push({ call });
			calls.delete(block.call);
		}
	}
	if (at === message.text.length && calls.size === 0) return restored;
	return [...restored.filter((block) => "own" in block), ...plain(message)];
}

function readReplay(replay: unknown): Replay | undefined {
	if (!isJson(replay) || !Array.isArray(replay["blocks"])) return undefined;
	const { dialect, modelId } = replay;
	if (typeof dialect !== "string" || typeof modelId !== "string") return undefined;
	return { dialect, modelId, blocks: replay["blocks"].filter(isLayoutBlock) };
}

function isLayoutBlock(block: unknown): block is LayoutBlock {
	if (!isJson(block)) return false;
	return "own" in block || typeof block["text"] === "number" || typeof block["call"] === "string";
}
