/** What each vendor wants otherwise than the others, as its server sees it. Google's is in `googleModels`. */
import { describe, expect, it } from "vitest";
import type { ModelMessage, ReasoningLevel } from "../../../../src/core/models/modelPort.ts";
import { azureEvent, azureReasoning, speakAzure } from "../../../fakes/azureSpeech.ts";
import { bedrockException, bedrockSignature, speakBedrock } from "../../../fakes/bedrockSpeech.ts";
import { speakMistral } from "../../../fakes/mistralSpeech.ts";
import type { ScriptedReply } from "../../../fakes/modelServer.ts";
import { answerOf, askVendor, readCalls, readResults, readTool, serveVendor } from "./askVendor.ts";
import { aProvider, callsIn, canaryKey, errorIn, finishOf, textIn } from "./askWire.ts";

const never = new AbortController().signal;
const asked: ModelMessage = { role: "user", text: "Read" };
const answered: ModelMessage = {
	role: "assistant",
	text: "Reading.",
	toolCalls: readCalls.map(({ id, name }) => ({ toolCallId: id, toolName: name, input: { path: id } })),
};
const conversation = [asked, answered, ...readResults];
const everything = { messages: conversation, tools: [readTool], reasoning: "high", maxOutputTokens: 3000 } as const;

describe("What Mistral is sent", () => {
	const ok = { body: speakMistral({ text: ["ok"] }) };
	const messagesFor = async (messages: readonly ModelMessage[]) => {
		const { body } = await askVendor("mistral", ok, { messages });
		return (body as { messages: Record<string, unknown>[] }).messages;
	};

	it("is a chat with thinking at the level that the model has, and failures that say so", async () => {
		const { body } = await askVendor("mistral", ok, everything);
		const call = (id: string) => ({
			id,
			type: "function",
			function: { name: "read_file", arguments: JSON.stringify({ path: id }) },
		});
		expect(body).toMatchObject({
			model: "mistral-medium-latest",
			stream: true,
			max_tokens: 3000,
			reasoning_effort: "high",
			tool_choice: "auto",
			tools: [{ type: "function", function: { name: "read_file", parameters: readTool.inputSchema } }],
			messages: [
				{ role: "system", content: "Be brief." },
				{ role: "user", content: [{ type: "text", text: "Read" }] },
				{ role: "assistant", content: "Reading.", tool_calls: [call("callAlpha"), call("callBravo")] },
				{ role: "tool", tool_call_id: "callAlpha", name: "read_file", content: "A" },
				{ role: "tool", tool_call_id: "callBravo", name: "read_file", content: "Error: gone" },
			],
		});
	});

	it("has other models' ids as ids of nine letters, the same for a call and its result", async () => {
		const ids = ["call_0fypS1hVX", "toolu_01ABCDEFGHIJKLMNOP"];
		const [, , assistant, ...results] = await messagesFor([
			asked,
			{
				role: "assistant",
				text: "",
				toolCalls: ids.map((toolCallId) => ({ toolCallId, toolName: "read_file", input: {} })),
			},
			...ids.map(
				(toolCallId) => ({ role: "tool", toolCallId, toolName: "read_file", text: "x", isError: false }) as const,
			),
		]);
		const calls = assistant?.["tool_calls"] as readonly { id: string }[] | undefined;
		const sent = (calls ?? []).map(({ id }) => id);
		expect(sent).toEqual([expect.stringMatching(/^[a-z\d]{9}$/iu), expect.stringMatching(/^[a-z\d]{9}$/iu)]);
		expect(new Set(sent).size).toBe(2);
		expect(results.map((result) => result["tool_call_id"])).toEqual(sent);
	});

	it("has an answer between results and what a person says next", async () => {
		const roles = (await messagesFor([...conversation, { role: "user", text: "Stop" }])).map(({ role }) => role);
		expect(roles).toEqual(["system", "user", "assistant", "tool", "tool", "assistant", "user"]);
	});

	it.each([
		["mistral-medium-latest", "low", "high"],
		["mistral-small-2603", "high", "high"],
		["mistral-large-4", "medium", "medium"],
		["mistral-medium-2508", "high", undefined],
		["mistral-large-latest", "high", undefined],
		["codestral-2508", "high", undefined],
		["devstral-medium-latest", "high", undefined],
		["open-mistral-nemo", "high", undefined],
		["mistral-medium-latest", undefined, undefined],
	] as const)("asks %s to think %s as %s", async (id, reasoning, expected) => {
		const { body } = await askVendor("mistral", ok, { ...(reasoning && { reasoning }) }, id);
		expect((body as Record<string, unknown>)["reasoning_effort"]).toBe(expected);
	});
});

describe("Mistral's list of models", () => {
	it("has those that talk", async () => {
		const data = [
			{ id: "mistral-medium-latest", object: "model", capabilities: { completion_chat: true } },
			{ id: "mistral-embed", object: "model", capabilities: { completion_chat: false } },
			{ id: "mistral-small-latest", object: "model" },
		];
		const { options, requests } = await serveVendor("mistral", () => ({
			body: [JSON.stringify({ object: "list", data })],
		}));
		expect(await aProvider(options).listModels(never)).toEqual({
			ok: true,
			models: [
				{ id: "mistral-medium-latest", label: "mistral-medium-latest" },
				{ id: "mistral-small-latest", label: "mistral-small-latest" },
			],
		});
		expect(requests[0]).toMatchObject({ method: "GET", path: "/v1/models" });
		expect(requests[0]?.headers.authorization).toBe(`Bearer ${canaryKey}`);
	});
});

describe("What Azure is sent", () => {
	const ok = { body: speakAzure({ text: ["ok"] }) };

	it("is a request that it does not keep, with schemas as they are meant", async () => {
		const { body } = await askVendor("azure", ok, { ...everything, toolChoice: "none" });
		expect(body).toMatchObject({
			model: "gpt-9",
			stream: true,
			store: false,
			max_output_tokens: 3000,
			include: ["reasoning.encrypted_content"],
			reasoning: { effort: "high", summary: "auto" },
			tool_choice: "none",
			tools: [{ type: "function", name: "read_file", parameters: readTool.inputSchema, strict: false }],
		});
		const { input } = body as { input: Record<string, unknown>[] };
		expect(input.map(({ type, role, call_id, output }) => type ?? role ?? [call_id, output])).toEqual([
			"developer",
			"user",
			"assistant",
			"function_call",
			"function_call",
			"function_call_output",
			"function_call_output",
		]);
		expect(input.at(-1)).toMatchObject({ call_id: "callBravo", output: "Error: gone" });
	});

	it("has the encrypted thinking where it was, for the model that gave it and no other", async () => {
		const { parts } = await askVendor("azure", { body: speakAzure({ thinking: ["Hm"], calls: readCalls }) });
		const messages = [asked, answerOf(parts), ...readResults];
		const sent = async (id: string) => {
			const { body } = await askVendor("azure", ok, { messages }, id);
			return (body as { input: Record<string, unknown>[] }).input.slice(2, 4).map((item) => item["type"]);
		};
		expect(await sent("gpt-9")).toEqual(["reasoning", "function_call"]);
		expect(await sent("gpt-9-mini")).toEqual(["function_call", "function_call"]);
		const { body } = await askVendor("azure", ok, { messages });
		expect(JSON.stringify(body)).toContain(azureReasoning);
		expect(JSON.stringify(body)).not.toContain("item_reference");
	});

	it("does not ask a model to think whose name is not that of one that does", async () => {
		const { body } = await askVendor("azure", ok, { reasoning: "high" }, "our-chat");
		expect(body).not.toHaveProperty("reasoning");
	});

	it("has the version of its API where the configuration says one", async () => {
		const { options, requests } = await serveVendor("azure", () => ok);
		const parts: unknown[] = [];
		const model = aProvider({ ...options, baseUrl: `${options.baseUrl}?api-version=preview` }).model("gpt-9");
		for await (const part of model?.stream({ ...everything, system: "", signal: never }) ?? []) parts.push(part);
		expect(requests[0]?.path).toBe("/openai/v1/responses?api-version=preview");
	});
});

describe("Azure's answer", () => {
	it.each([
		["filtered", { finish: "filter" }, "content-filter"],
		["cut by its limit", { finish: "length" }, "length"],
	] as const)("that is %s says so", async (_, finish, expected) => {
		const { parts } = await askVendor("azure", { body: speakAzure({ text: ["One"], ...finish }) });
		expect(finishOf(parts)?.finishReason).toBe(expected);
	});

	it("that fails for money is not asked for again", async () => {
		const error = { code: "insufficient_quota", message: "You exceeded your quota." };
		const response = { id: "resp_1", error, incomplete_details: null };
		const failed = azureEvent({ type: "response.failed", sequence_number: 9, response });
		for (const begun of [[], speakAzure({ text: ["One"] }).slice(0, 5)]) {
			const { parts } = await askVendor("azure", { body: [...begun, failed] });
			expect(errorIn(parts)).toMatchObject({ kind: "quota", retryable: false, message: error.message });
		}
	});
});

describe("Azure's list of models", () => {
	it("is what could be deployed, so that nothing of it is offered, and tells a wrong key all the same", async () => {
		const list = JSON.stringify({ data: [{ id: "gpt-9-2026-01-01" }] });
		const { options, requests } = await serveVendor("azure", (index) =>
			index < 2 ? { body: [list] } : { status: 401, body: [JSON.stringify({ error: { code: "401", message: "No" } })] },
		);
		const provider = aProvider(options);
		expect(await provider.listModels(never)).toEqual({ ok: true, models: [] });
		expect(await provider.testConnection(never)).toEqual({ ok: true });
		expect(await provider.testConnection(never)).toMatchObject({ ok: false, error: { kind: "auth" } });
		expect(requests[0]?.path).toBe("/openai/v1/models");
	});
});

describe("What Bedrock is sent", () => {
	const adaptive = (effort: string) => ({ thinking: { type: "adaptive" }, output_config: { effort } });
	const ok = { body: speakBedrock({ text: ["ok"] }) };
	const use = (id: string) => ({ toolUse: { toolUseId: id, name: "read_file", input: { path: id } } });
	const result = (id: string, text: string) => ({ toolResult: { toolUseId: id, content: [{ text }] } });

	it("is a conversation in which all results are one turn, and is not signed", async () => {
		const { body, requests } = await askVendor("bedrock", ok, { ...everything, reasoning: "low" });
		expect(body).toMatchObject({
			system: [{ text: "Be brief." }],
			messages: [
				{ role: "user", content: [{ text: "Read" }] },
				{ role: "assistant", content: [{ text: "Reading." }, use("callAlpha"), use("callBravo")] },
				{ role: "user", content: [result("callAlpha", "A"), result("callBravo", "Error: gone")] },
			],
			inferenceConfig: { maxTokens: 3000 },
			toolConfig: {
				tools: [{ toolSpec: { name: "read_file", inputSchema: { json: readTool.inputSchema } } }],
				toolChoice: { auto: {} },
			},
		});
		const names = Object.keys(requests[0]?.headers ?? {});
		expect(names.filter((name) => name.startsWith("x-amz"))).toEqual([]);
	});

	it("keeps the calls of the past where new ones are forbidden, and leaves new ones out of the answer", async () => {
		const body = speakBedrock({ text: ["Still."], calls: readCalls });
		const asking = { messages: conversation, tools: [readTool], toolChoice: "none" } as const;
		const { parts, body: sent } = await askVendor("bedrock", { body }, asking);
		expect(JSON.stringify(sent)).toContain("callAlpha");
		expect([textIn(parts), callsIn(parts), finishOf(parts)?.finishReason]).toEqual(["Still.", [], "stop"]);
	});

	it("has the signed thinking where it was, for the model that gave it and no other", async () => {
		const { parts } = await askVendor("bedrock", { body: speakBedrock({ thinking: ["Hm"], calls: readCalls }) });
		const messages = [asked, answerOf(parts), ...readResults];
		const sent = async (id?: string) =>
			JSON.stringify((await askVendor("bedrock", ok, { messages, tools: [readTool] }, id)).body);
		expect(await sent()).toContain(bedrockSignature);
		expect(await sent("anthropic.claude-opus-9")).not.toContain(bedrockSignature);
	});

	it.each<readonly [string, ReasoningLevel, readonly ModelMessage[], object | undefined]>([
		["eu.anthropic.claude-opus-4-6-v1", "low", [asked], adaptive("low")],
		["eu.anthropic.claude-opus-4-6-v1", "low", conversation, adaptive("low")],
		[
			"anthropic.claude-sonnet-4-20250514-v1:0",
			"high",
			[asked],
			{ thinking: { type: "enabled", budget_tokens: expect.any(Number) } },
		],
		["anthropic.claude-sonnet-4-20250514-v1:0", "high", conversation, undefined],
		["anthropic.claude-3-5-sonnet-20240620-v1:0", "high", [asked], undefined],
		["openai.gpt-oss-120b-1:0", "medium", conversation, { reasoning_effort: "medium" }],
		["meta.llama3-1-70b-instruct-v1:0", "high", [asked], undefined],
	])("asks %s to think %s in its own way", async (id, reasoning, messages, expected) => {
		const { body } = await askVendor("bedrock", ok, { reasoning, messages, tools: [readTool] }, id);
		const { additionalModelRequestFields } = body as { additionalModelRequestFields?: object };
		expect(additionalModelRequestFields).toEqual(expected);
	});
});

describe("Bedrock's answer", () => {
	// Only the checksum can tell: the payload stays JSON.
	it("with a byte that has changed on the way is none, and may be asked for again", async () => {
		const body = speakBedrock({ text: ["One", "two"] }).map((event) => Uint8Array.from(event));
		const [, changed] = body;
		if (changed) changed[changed.length - 8] = 0x21;
		const { parts } = await askVendor("bedrock", { body });
		expect(errorIn(parts)).toMatchObject({ kind: "protocol", retryable: true });
	});

	it.each([
		["throttlingException", { kind: "rate-limit", retryable: true, statusCode: 429 }],
		["internalServerException", { kind: "overload", retryable: true, statusCode: 500 }],
		["modelStreamErrorException", { kind: "overload", retryable: true, statusCode: 424 }],
		["validationException", { kind: "bad-request", retryable: false, statusCode: 400 }],
	] as const)("that ends with %s has failed so", async (type, expected) => {
		const body: ScriptedReply["body"] = [
			...speakBedrock({ text: ["One"] }).slice(0, 2),
			bedrockException(type, "Not now."),
		];
		const { parts } = await askVendor("bedrock", { body });
		expect(errorIn(parts)).toMatchObject({ ...expected, message: "Not now." });
	});
});

describe("Bedrock's list of models", () => {
	it("is at another origin, so that nothing is asked and nothing is tried", async () => {
		const { options, requests } = await serveVendor("bedrock", () => ({}));
		const provider = aProvider(options);
		expect(await provider.listModels(never)).toEqual({ ok: true, models: [] });
		expect(await provider.testConnection(never)).toEqual({ ok: true, isUntried: true });
		expect(requests).toEqual([]);
	});
});
