import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelRequest } from "../../../../src/core/models/modelPort.ts";
import { speak, type SpokenWire, startModelServer } from "../../../fakes/modelServer.ts";
import { askProvider, canaryKey } from "./askWire.ts";

const inputSchema = { type: "object", properties: { path: { type: "string" } } };

/** An answer with signed thinking, two calls, one of which failed, and a word of the user. */
function conversation(dialect: string, modelId: string, own: unknown): ModelMessage[] {
	return [
		{ role: "user", text: "Read a and b" },
		{
			role: "assistant",
			text: "Reading.",
			toolCalls: [
				{ toolCallId: "call_a", toolName: "read_file", input: { path: "a" } },
				{
					toolCallId: "call_b",
					toolName: "no such tool!",
					input: "broken",
					inputError: "The input is no JSON object.",
				},
			],
			replay: { dialect, modelId, blocks: [{ own }, { text: 8 }, { call: "call_a" }, { call: "call_b" }] },
		},
		{ role: "tool", toolCallId: "call_a", toolName: "read_file", text: "A", isError: false },
		{ role: "tool", toolCallId: "call_b", toolName: "no such tool!", text: "unknown", isError: true },
		{ role: "user", text: "Go on \uD83D" },
	];
}

async function send(wire: SpokenWire, modelId: string, request: Partial<ModelRequest>) {
	const server = await startModelServer({ script: () => ({ body: speak(wire, { text: ["ok"] }) }) });
	try {
		await askProvider(
			{ wire, baseUrl: `${server.url}/?api-version=1`, headers: { "X-Team": "blue" } },
			request,
			modelId,
		);
		const [received] = server.requests;
		if (!received) throw new Error("Nothing was sent");
		return received;
	} finally {
		await server.close();
	}
}

const tools = [
	{ name: "read_file", description: "Reads", inputSchema },
	{ name: "list_files", description: "Lists", inputSchema: { type: "object" } },
];
const common = { tools, reasoning: "high", toolChoice: "none", maxOutputTokens: 3000 } as const;

describe("What is sent", () => {
	it("follows Chat Completions", async () => {
		const { path, headers, body } = await send("chat", "m", { ...common, messages: conversation("chat", "m", {}) });
		expect(path).toBe("/v1/chat/completions?api-version=1");
		expect(headers).toMatchObject({
			authorization: `Bearer ${canaryKey}`,
			"content-type": "application/json",
			"x-team": "blue",
		});
		expect(body).toEqual({
			model: "m",
			messages: [
				{ role: "system", content: "Be brief." },
				{ role: "user", content: "Read a and b" },
				{
					role: "assistant",
					content: "Reading.",
					tool_calls: [
						{ id: "call_a", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } },
						{ id: "call_b", type: "function", function: { name: "no_such_tool_", arguments: "{}" } },
					],
				},
				{ role: "tool", tool_call_id: "call_a", content: "A" },
				{ role: "tool", tool_call_id: "call_b", content: "Error: unknown" },
				{ role: "user", content: "Go on \uFFFD" },
			],
			stream: true,
			stream_options: { include_usage: true },
			tools: [
				{ type: "function", function: { name: "read_file", description: "Reads", parameters: inputSchema } },
				{ type: "function", function: { name: "list_files", description: "Lists", parameters: { type: "object" } } },
			],
			tool_choice: "none",
			reasoning_effort: "high",
			max_tokens: 3000,
		});
	});

	it("follows Responses, stores nothing there and gives the encrypted reasoning back", async () => {
		const own = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" };
		const messages = conversation("responses", "m", own);
		const { path, headers, body } = await send("responses", "m", { ...common, messages });
		expect(path).toBe("/v1/responses?api-version=1");
		expect(headers.authorization).toBe(`Bearer ${canaryKey}`);
		expect(body).toEqual({
			model: "m",
			instructions: "Be brief.",
			input: [
				{ type: "message", role: "user", content: [{ type: "input_text", text: "Read a and b" }] },
				own,
				{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Reading." }] },
				{ type: "function_call", call_id: "call_a", name: "read_file", arguments: '{"path":"a"}' },
				{ type: "function_call", call_id: "call_b", name: "no_such_tool_", arguments: "{}" },
				{ type: "function_call_output", call_id: "call_a", output: "A" },
				{ type: "function_call_output", call_id: "call_b", output: "Error: unknown" },
				{ type: "message", role: "user", content: [{ type: "input_text", text: "Go on \uFFFD" }] },
			],
			stream: true,
			store: false,
			include: ["reasoning.encrypted_content"],
			tools: [
				{ type: "function", name: "read_file", description: "Reads", parameters: inputSchema, strict: false },
				{ type: "function", name: "list_files", description: "Lists", parameters: { type: "object" }, strict: false },
			],
			tool_choice: "none",
			reasoning: { effort: "high", summary: "auto" },
			max_output_tokens: 3000,
		});
	});

	it("follows Messages, with cached prefixes and the signed thinking where it was", async () => {
		const own = { type: "thinking", thinking: "Hm", signature: "s" };
		const model = "claude-sonnet-4-5-20250929";
		const messages = conversation("anthropic", model, own);
		const { path, headers, body } = await send("anthropic", model, { ...common, messages });
		const cache_control = { type: "ephemeral" };
		expect(path).toBe("/v1/messages?api-version=1");
		expect(headers).toMatchObject({ "x-api-key": canaryKey, "anthropic-version": "2023-06-01" });
		expect(headers.authorization).toBeUndefined();
		expect(body).toEqual({
			model,
			max_tokens: 3000,
			stream: true,
			system: [{ type: "text", text: "Be brief.", cache_control }],
			messages: [
				{ role: "user", content: [{ type: "text", text: "Read a and b" }] },
				{
					role: "assistant",
					content: [
						own,
						{ type: "text", text: "Reading." },
						{ type: "tool_use", id: "call_a", name: "read_file", input: { path: "a" } },
						{ type: "tool_use", id: "call_b", name: "no_such_tool_", input: {} },
					],
				},
				{
					role: "user",
					content: [
						{ type: "tool_result", tool_use_id: "call_a", content: "A" },
						{ type: "tool_result", tool_use_id: "call_b", content: "unknown", is_error: true },
						{ type: "text", text: "Go on \uFFFD", cache_control },
					],
				},
			],
			tools: [
				{ name: "read_file", description: "Reads", input_schema: inputSchema },
				{ name: "list_files", description: "Lists", input_schema: { type: "object" }, cache_control },
			],
			tool_choice: { type: "none" },
			thinking: { type: "enabled", budget_tokens: 2999 },
		});
	});

	it("leaves out what is not asked for", async () => {
		const bodies = await Promise.all(
			(["chat", "responses", "anthropic"] as const).map((wire) => send(wire, "gpt-4o", { system: "" })),
		);
		expect(bodies.map(({ body }) => Object.keys(body as object))).toEqual([
			["model", "messages", "stream", "stream_options"],
			["model", "input", "stream", "store"],
			["model", "max_tokens", "stream", "messages"],
		]);
	});
});

describe("Thinking on Anthropic's models", () => {
	const loop: ModelMessage[] = [
		{ role: "user", text: "Hi" },
		{ role: "assistant", text: "", toolCalls: [{ toolCallId: "a", toolName: "t", input: {} }] },
		{ role: "tool", toolCallId: "a", toolName: "t", text: "", isError: false },
	];

	it.each([
		["claude-opus-4-6", { thinking: { type: "adaptive" }, output_config: { effort: "medium" } }],
		["claude-sonnet-5", { thinking: { type: "adaptive" }, output_config: { effort: "medium" } }],
		["claude-opus-4-20250514", { thinking: { type: "enabled", budget_tokens: 10_240 } }],
		["claude-3-7-sonnet-latest", { thinking: { type: "enabled", budget_tokens: 10_240 } }],
		["another-vendors-model", { thinking: { type: "enabled", budget_tokens: 10_240 } }],
		["claude-3-5-haiku-latest", {}],
	])("is asked of %s as %j", async (model, expected) => {
		const { thinking, output_config } = (await send("anthropic", model, { reasoning: "medium" })).body as Record<
			string,
			unknown
		>;
		expect({
			...(thinking !== undefined && { thinking }),
			...(output_config !== undefined && { output_config }),
		}).toEqual(expected);
	});

	it("is left out in the middle of a tool loop that another model began", async () => {
		const { body } = await send("anthropic", "claude-sonnet-4-5", { reasoning: "low", messages: loop });
		expect(body).not.toHaveProperty("thinking");
	});

	it("of another model is not sent back", async () => {
		const messages = conversation("anthropic", "claude-sonnet-4-5", {
			type: "thinking",
			thinking: "Hm",
			signature: "s",
		});
		const { body } = await send("anthropic", "claude-opus-4-6", { messages });
		expect(JSON.stringify(body)).not.toContain("signature");
	});
});
