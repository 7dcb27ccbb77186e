import type { ModelMessage, ModelRequest, ReasoningLevel } from "./modelPort.ts";
import { clean, isJson, type Json, jsonOf } from "./wire/json.ts";
import { nameOnWire } from "./wire/nameOnWire.ts";
import { isInForeignLoop, layOut } from "./wire/replayLayout.ts";

const cached = { cache_control: { type: "ephemeral" } } as const;
const budgets: Readonly<Record<ReasoningLevel, number>> = { low: 4096, medium: 10_240, high: 24_576 };
const smallestBudget = 1024;

/** The body of a request to Anthropic's Messages. Tools, system prompt and conversation are each a cached prefix. */
export function encodeAnthropic(modelId: string, request: ModelRequest): Json {
	const { system, tools, toolChoice } = request;
	const limit = request.maxOutputTokens ?? defaultLimit(modelId);
	return {
		model: modelId,
		max_tokens: limit,
		stream: true,
		...(system !== "" && { system: [{ type: "text", text: clean(system), ...cached }] }),
		messages: cacheLast(encodeMessages(request.messages, modelId)),
		...(tools.length > 0 && {
			tools: tools.map(({ name, description, inputSchema }, index) => ({
				name,
				description,
				input_schema: inputSchema,
				...(index === tools.length - 1 && cached),
			})),
			tool_choice: { type: toolChoice ?? "auto" },
		}),
		...encodeThinking(modelId, request, limit),
	};
}

/** The field is required, and each family refuses more than it can. */
function defaultLimit(modelId: string): number {
	if (/^claude-3-(?:haiku|opus|sonnet)/u.test(modelId)) return 4096;
	if (modelId.startsWith("claude-3-5")) return 8192;
	return 32_000;
}

/** From 4.6 on the models decide themselves how long to think and take an effort; before, they take a budget. */
function encodeThinking(modelId: string, { reasoning, messages }: ModelRequest, limit: number): Json {
	if (!reasoning) return {};
	const version = versionOf(modelId);
	if (version !== undefined && version >= 4.06) {
		return { thinking: { type: "adaptive" }, output_config: { effort: reasoning } };
	}
	const budget = Math.min(budgets[reasoning], limit - 1);
	const cannot = (version !== undefined && version < 3.07) || budget < smallestBudget;
	// With a budget, tool results are only accepted after an answer that began with its own thinking.
	if (cannot || isInForeignLoop(messages, "anthropic", modelId)) return {};
	return { thinking: { type: "enabled", budget_tokens: budget } };
}

/** `claude-opus-4-6-20260101` is 4.06, `claude-3-7-sonnet` is 3.07; `undefined` for other vendors' models. */
function versionOf(modelId: string): number | undefined {
	const found = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/u.exec(modelId);
	return found ? Number(found[1]) + Number(found[2] ?? 0) / 100 : undefined;
}

interface Turn {
	readonly role: "user" | "assistant";
	readonly content: Json[];
}

/** Turns alternate here: all results of one answer, and what the user adds, are one user turn. */
function encodeMessages(messages: readonly ModelMessage[], modelId: string): Turn[] {
	const turns: Turn[] = [];
	for (const message of messages) {
		const role = message.role === "assistant" ? "assistant" : "user";
		const content = encodeContent(message, modelId);
		const last = turns.at(-1);
		if (last?.role === role) last.content.push(...content);
		else if (content.length > 0) turns.push({ role, content });
	}
	return turns;
}

function encodeContent(message: ModelMessage, modelId: string): Json[] {
	switch (message.role) {
		case "user":
			return [{ type: "text", text: clean(message.text).trim() === "" ? "(no text)" : clean(message.text) }];
		case "tool": {
			const id = nameOnWire(message.toolCallId);
			const failed = message.isError && { is_error: true };
			return [{ type: "tool_result", tool_use_id: id, content: clean(message.text), ...failed }];
		}
		case "assistant":
			return layOut(message, "anthropic", modelId).flatMap((block): Json[] => {
				if ("own" in block) return isJson(block.own) ? [block.own] : [];
				if ("text" in block) return block.text.trim() === "" ? [] : [{ type: "text", text: clean(block.text) }];
				const { toolCallId, toolName, input } = block.call;
				return [{ type: "tool_use", id: nameOnWire(toolCallId), name: nameOnWire(toolName), input: jsonOf(input) }];
			});
	}
}

/** Thinking cannot be marked, but then the last turn is the model's own. */
function cacheLast(turns: Turn[]): Turn[] {
	const content = turns.at(-1)?.content;
	const last = content?.at(-1);
	if (content && last && !/thinking/u.test(String(last["type"]))) content[content.length - 1] = { ...last, ...cached };
	return turns;
}
