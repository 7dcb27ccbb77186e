import type {
	JSONSchema7,
	LanguageModelV4CallOptions,
	LanguageModelV4Message,
	SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelMessage, ModelRequest } from "./modelPort.ts";
import { type ConversationRules, optionsFor, type Vendor } from "./vendors.ts";
import { clean, isJson, type Json, jsonOf, textOf } from "./wire/json.ts";
import { nameOnWire } from "./wire/nameOnWire.ts";
import { type AssistantBlock, layOut } from "./wire/replayLayout.ts";

/** What a package wants back with an answer: on a text or a call the block before it, and thinking as it was. */
export type Signed =
	| { readonly signs: "text"; readonly options: unknown }
	| { readonly signs: "call"; readonly id: string; readonly options: unknown }
	| { readonly signs: "reasoning"; readonly text: string; readonly options: unknown };

interface Encoding {
	readonly wire: string;
	readonly modelId: string;
	readonly rules: ConversationRules;
}

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
type ToolResult = Extract<
	Extract<LanguageModelV4Message, { role: "tool" }>["content"][number],
	{ type: "tool-result" }
>;

/** The request as the AI SDK has it. */
export function encodeForPackage(
	wire: string,
	vendor: Vendor,
	modelId: string,
	request: ModelRequest,
): LanguageModelV4CallOptions {
	const { system, messages, tools, maxOutputTokens } = request;
	const { rules = {} } = vendor;
	const toolChoice = rules.dropsForbiddenCalls ? "auto" : (request.toolChoice ?? "auto");
	return {
		prompt: [
			...(system === "" ? [] : [{ role: "system", content: clean(system) } as const]),
			...encodeMessages(messages, { wire, modelId, rules }),
		],
		...(tools.length > 0 && {
			tools: tools.map(({ name, description, inputSchema }) => ({
				type: "function",
				name,
				description,
				inputSchema: inputSchema as JSONSchema7,
			})),
			toolChoice: { type: toolChoice },
		}),
		...(maxOutputTokens !== undefined && { maxOutputTokens }),
		...optionsFor(wire, vendor, modelId, request),
		// The model that really answers, and a failure with its details, are only in what the server sent.
		includeRawChunks: true,
	};
}

/** All results of one answer are one message: Google refuses fewer results than calls. */
function encodeMessages(messages: readonly ModelMessage[], encoding: Encoding): LanguageModelV4Message[] {
	const { rules } = encoding;
	const encoded: LanguageModelV4Message[] = [];
	for (const message of messages) {
		const last = encoded.at(-1);
		if (message.role === "user") {
			if (rules.answersResults && last?.role === "tool") {
				encoded.push({ role: "assistant", content: [{ type: "text", text: "Noted." }] });
			}
			encoded.push({ role: "user", content: [{ type: "text", text: filled(clean(message.text)) }] });
		} else if (message.role === "tool") {
			const result = encodeResult(message, rules);
			if (last?.role === "tool") last.content.push(result);
			else encoded.push({ role: "tool", content: [result] });
		} else {
			const content = encodeAnswer(message, encoding);
			if (content.length > 0) encoded.push({ role: "assistant", content });
		}
	}
	return encoded;
}

/** Some refuse an empty text. */
const filled = (text: string) => (text.trim() === "" ? "(no text)" : text);

function encodeResult(message: Extract<ModelMessage, { role: "tool" }>, rules: ConversationRules): ToolResult {
	const { isError } = message;
	const text = filled(clean(message.text));
	return {
		type: "tool-result",
		toolCallId: idOnWire(message.toolCallId, rules),
		toolName: nameOnWire(message.toolName),
		output: { type: isError ? "error-text" : "text", value: isError && !rules.marksFailures ? `Error: ${text}` : text },
	};
}

const idOnWire = (id: string, { callId }: ConversationRules) => callId?.(id) ?? nameOnWire(id);

function encodeAnswer(message: AssistantMessage, { wire, modelId, rules }: Encoding): AssistantPart[] {
	const blocks = layOut(message, wire, modelId);
	const signatures = new Map(blocks.flatMap(signatureOfCall));
	const parts: AssistantPart[] = [];
	for (const block of blocks) {
		if ("text" in block) {
			if (block.text !== "") parts.push({ type: "text", text: clean(block.text) });
		} else if ("call" in block) {
			const { toolCallId, toolName, input } = block.call;
			const id = idOnWire(toolCallId, rules);
			const call = { type: "tool-call", toolCallId: id, toolName: nameOnWire(toolName) } as const;
			parts.push({ ...call, input: jsonOf(input), ...signatures.get(toolCallId) });
		} else if (isJson(block.own)) addSigned(parts, block.own);
	}
	return parts;
}

function signatureOfCall(block: AssistantBlock) {
	const own = "own" in block ? jsonOf(block.own) : {};
	return own["signs"] === "call" ? [[textOf(own["id"]), withOptions(own)] as const] : [];
}

function addSigned(parts: AssistantPart[], own: Json): void {
	const last = parts.at(-1);
	if (own["signs"] === "reasoning") {
		parts.push({ type: "reasoning", text: clean(textOf(own["text"])), ...withOptions(own) });
	} else if (own["signs"] === "text") {
		// A signature can come alone, after everything else.
		if (last?.type === "text") parts[parts.length - 1] = { ...last, ...withOptions(own) };
		else parts.push({ type: "text", text: "", ...withOptions(own) });
	}
}

const withOptions = (own: Json) => ({ providerOptions: jsonOf(own["options"]) as SharedV4ProviderOptions });
