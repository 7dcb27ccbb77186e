/** Google's models by way of their package, against a server that speaks as Gemini does. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { ModelMessage, ModelPart } from "../../../../src/core/models/modelPort.ts";
import {
	geminiDetails,
	geminiFailure,
	geminiModel,
	geminiSignature,
	speakGemini,
	speakGeminiWhole,
} from "../../../fakes/geminiSpeech.ts";
import { spokenUsage } from "../../../fakes/modelServer.ts";
import { askGoogle as ask, googleModelId as modelId, serveGoogle as serve } from "./askGoogle.ts";
import { aProvider, aRequest, askProvider, callsIn, canaryKey, errorIn, finishOf, textIn } from "./askWire.ts";

const never = new AbortController().signal;

const readCalls = [
	{ id: "call-a", name: "read_file", pieces: ['{"path":"a"}'] },
	{ id: "call-b", name: "read_file", pieces: ['{"path":"b"}'] },
];
const tools = [{ name: "read_file", description: "Reads", inputSchema: { type: "object", properties: {} } }];

describe("An answer of Google's", () => {
	it("is thinking and text in blocks, with usage split and the model that really answered", async () => {
		const { parts } = await ask({ body: speakGemini({ thinking: ["Hm, ", "well."], text: ["One ", "two."] }) });
		expect(parts.map(({ type }) => type)).toEqual([
			"response-metadata",
			"reasoning-start",
			"reasoning-delta",
			"reasoning-delta",
			"reasoning-end",
			"text-start",
			"text-delta",
			"text-delta",
			"text-end",
			"replay",
			"finish",
		]);
		expect([textIn(parts, "reasoning-delta"), textIn(parts)]).toEqual(["Hm, well.", "One two."]);
		expect(parts[0]).toEqual({ type: "response-metadata", modelId: geminiModel });
		expect(finishOf(parts)).toEqual({
			type: "finish",
			finishReason: "stop",
			usage: {
				inputTokens: { total: spokenUsage.input, cacheRead: spokenUsage.cacheRead },
				outputTokens: { total: spokenUsage.output, reasoning: spokenUsage.reasoning },
				usd: null,
				isEstimate: false,
			},
		});
	});

	it("has parallel calls with their input parsed, and tells of progress", async () => {
		let progress = 0;
		const { parts } = await ask(
			{ body: speakGemini({ text: ["Look."], calls: readCalls }) },
			{ onProgress: () => progress++ },
		);
		expect(callsIn(parts)).toEqual([
			{ type: "tool-call", toolCallId: "call-a", toolName: "read_file", input: { path: "a" } },
			{ type: "tool-call", toolCallId: "call-b", toolName: "read_file", input: { path: "b" } },
		]);
		expect(finishOf(parts)?.finishReason).toBe("tool-calls");
		expect(progress).toBeGreaterThan(1);
	});

	it("has calls with ids of their own where there are none or used ones", async () => {
		const calls = [{ name: "read_file", pieces: ["{}"] }, ...readCalls, ...readCalls];
		const messages: ModelMessage[] = [
			{ role: "user", text: "Go" },
			{ role: "assistant", text: "", toolCalls: [{ toolCallId: "call-b", toolName: "read_file", input: {} }] },
			{ role: "tool", toolCallId: "call-b", toolName: "read_file", text: "B", isError: false },
		];
		const ids = callsIn((await ask({ body: speakGemini({ calls }) }, { messages })).parts).map(
			({ toolCallId }) => toolCallId,
		);
		expect(new Set(ids).size).toBe(5);
		expect(ids).toContain("call-a");
		expect(ids).not.toContain("call-b");
	});

	it.each([
		["length", "length"],
		["filter", "content-filter"],
	] as const)("that stops for %s says so", async (finish, reason) => {
		expect(finishOf((await ask({ body: speakGemini({ text: ["One"], finish }) })).parts)?.finishReason).toBe(reason);
	});

	it("may have parts that nobody knows", async () => {
		const unknown = `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ dance: {} }] } }], more: 1 })}\n\n`;
		const { parts } = await ask({ body: [unknown, ...speakGemini({ text: ["ok"] })] });
		expect([textIn(parts), finishOf(parts)?.finishReason]).toEqual(["ok", "stop"]);
	});

	it("is read byte by byte, and as one JSON document", async () => {
		const bytes = Buffer.from(speakGemini({ text: ["Grüße 🙂"] }).join(""));
		const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
		expect(textIn((await ask({ body: pieces })).parts)).toBe("Grüße 🙂");
		const whole = (await ask({ body: [speakGeminiWhole({ text: ["One ", "two"] })] })).parts;
		expect([textIn(whole), finishOf(whole)?.finishReason]).toEqual(["One two", "stop"]);
	});

	it("waits for a reader who is slow, and is complete", async () => {
		const text = Array.from({ length: 2000 }, (_, index) => `${index} ${"x".repeat(200)}\n`);
		const { options } = await serve(() => ({ body: [speakGemini({ text }).join("")] }));
		let read = "";
		for await (const part of aProvider(options).model(modelId)?.stream(aRequest()) ?? []) {
			if (part.type !== "text-delta") continue;
			read += part.delta;
			if (read.length % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
		}
		expect(read).toBe(text.join(""));
	});
});

describe("What Google is sent", () => {
	it("is the conversation, the tools and the level of thinking, with the key in a header of ours alone", async () => {
		const messages: ModelMessage[] = [
			{ role: "user", text: "Read a and b \uD83D" },
			{
				role: "assistant",
				text: "Reading.",
				toolCalls: readCalls.map(({ id, name }) => ({ toolCallId: id, toolName: name, input: { path: id } })),
			},
			{ role: "tool", toolCallId: "call-a", toolName: "read_file", text: "A", isError: false },
			{ role: "tool", toolCallId: "call-b", toolName: "read_file", text: "gone", isError: true },
			{ role: "user", text: "" },
		];
		const { requests, body } = await ask(
			{ body: speakGemini({ text: ["ok"] }) },
			{ messages, tools, toolChoice: "none", reasoning: "high", maxOutputTokens: 3000 },
		);
		expect(requests[0]?.path).toBe(`/v1beta/models/${modelId}:streamGenerateContent?alt=sse`);
		expect(requests[0]?.headers).toMatchObject({ "x-goog-api-key": canaryKey, "user-agent": "muster" });
		const call = (id: string) => ({ functionCall: { id, name: "read_file", args: { path: id } } });
		const result = (id: string, response: object) => ({
			functionResponse: { id, name: "read_file", response: { name: "read_file", ...response } },
		});
		expect(body).toMatchObject({
			systemInstruction: { parts: [{ text: "Be brief." }] },
			contents: [
				{ role: "user", parts: [{ text: "Read a and b \uFFFD" }] },
				{ role: "model", parts: [{ text: "Reading." }, call("call-a"), call("call-b")] },
				{ role: "user", parts: [result("call-a", { content: "A" }), result("call-b", { error: "gone" })] },
				{ role: "user", parts: [{ text: "(no text)" }] },
			],
			tools: [{ functionDeclarations: [{ name: "read_file", description: "Reads" }] }],
			toolConfig: { functionCallingConfig: { mode: "NONE" } },
			generationConfig: { maxOutputTokens: 3000, thinkingConfig: { includeThoughts: true, thinkingLevel: "high" } },
		});
	});

	it.each([
		["gemini-2.5-flash", "low", { thinkingBudget: expect.any(Number) }],
		["gemini-3-pro-preview", "low", { thinkingLevel: "low" }],
		["gemini-2.0-flash", "high", undefined],
		["gemma-3-27b-it", "high", undefined],
		["gemini-9-flash", undefined, undefined],
	] as const)("asks %s to think %s in its own way", async (id, reasoning, expected) => {
		const { body } = await ask({ body: speakGemini({ text: ["ok"] }) }, { ...(reasoning && { reasoning }) }, id);
		const { generationConfig } = body as { generationConfig: { thinkingConfig?: object } };
		expect(generationConfig.thinkingConfig).toEqual(expected && { includeThoughts: true, ...expected });
	});

	it("has the signatures where they were, for the model that gave them and no other", async () => {
		const { parts } = await ask({ body: speakGemini({ thinking: ["Hm"], text: ["One ", "two"], calls: readCalls }) });
		const replay = parts.find(({ type }) => type === "replay");
		const toolCalls = callsIn(parts).map(({ toolCallId, toolName, input }) => ({ toolCallId, toolName, input }));
		const answer = { role: "assistant", text: textIn(parts), toolCalls } as const;
		const results = readCalls.map(
			({ id }) => ({ role: "tool", toolCallId: id, toolName: "read_file", text: "x", isError: false }) as const,
		);
		const messages: ModelMessage[] = [
			{ role: "user", text: "Go" },
			{ ...answer, ...(replay?.type === "replay" && { replay: JSON.parse(JSON.stringify(replay.data)) as unknown }) },
			...results,
		];
		const sent = async (id: string) => {
			const { body } = await ask({ body: speakGemini({ text: ["ok"] }) }, { messages }, id);
			return (body as { contents: { parts: { thoughtSignature?: string }[] }[] }).contents[1]?.parts.map(
				({ thoughtSignature }) => thoughtSignature,
			);
		};
		expect(await sent(modelId)).toEqual([geminiSignature, geminiSignature, undefined]);
		expect(await sent("gemini-9-pro")).not.toContain(geminiSignature);
	});
});

describe("Google's key", () => {
	it("is not taken from the environment behind the provider's back", async () => {
		process.env["GOOGLE_GENERATIVE_AI_API_KEY"] = canaryKey;
		onTestFinished(() => {
			delete process.env["GOOGLE_GENERATIVE_AI_API_KEY"];
		});
		const { options, requests } = await serve(() => ({ body: speakGemini({ text: ["ok"] }) }));
		expect(textIn(await askProvider({ ...options, apiKey: async () => undefined }, {}, modelId))).toBe("ok");
		expect(JSON.stringify(requests[0]?.headers)).not.toContain(canaryKey);
		expect(requests[0]?.headers).not.toHaveProperty("x-goog-api-key");
	});

	it.each(["key-with\nline", "key-“quoted”"])("%j is refused without being told", async (key) => {
		const { options, requests } = await serve(() => ({}));
		const error = errorIn(await askProvider({ ...options, apiKey: async () => key }, {}, modelId));
		expect(error).toMatchObject({ kind: "auth", retryable: false });
		expect(error?.message).not.toContain("key-");
		expect(requests).toEqual([]);
	});

	it("never leaves over http to another machine, and no model's name leads it elsewhere", async () => {
		const away = { wire: "google", baseUrl: "http://models.example/v1beta" } as const;
		expect(errorIn(await askProvider(away, {}, modelId))).toMatchObject({ kind: "auth", retryable: false });
		const { requests } = await ask({ status: 404 }, {}, "//evil.example/x");
		expect(requests).toHaveLength(1);
	});
});

describe("An abort of Google's answer", () => {
	it.each([
		["while the first byte is awaited", { before: "hang" }],
		["after the headers", { ending: "hang" }],
		["in the text", { body: speakGemini({ text: ["One", "two"] }).slice(0, 1), ending: "hang" }],
	] as const)("closes the socket %s", async (_, reply) => {
		const stopping = new AbortController();
		const { options, requests } = await serve(() => {
			setImmediate(() => stopping.abort());
			return reply;
		});
		const parts = await askProvider(options, { signal: stopping.signal }, modelId);
		expect(finishOf(parts)?.finishReason).toBe("aborted");
		expect(errorIn(parts)).toBeUndefined();
		await requests[0]?.closed;
	});

	it("before the start, or while the key is looked up, sends nothing", async () => {
		const { options, requests } = await serve(() => ({}));
		const before = await askProvider(options, { signal: AbortSignal.abort() }, modelId);
		expect(before.map(({ type }) => type)).toEqual(["finish"]);
		const stopping = new AbortController();
		const apiKey = async () => {
			stopping.abort();
			return canaryKey;
		};
		const during = await askProvider({ ...options, apiKey }, { signal: stopping.signal }, modelId);
		expect(finishOf(during)?.finishReason).toBe("aborted");
		await askProvider(options, {}, modelId);
		expect(requests).toHaveLength(1);
	});

	it("is what leaving the loop does", async () => {
		const { options, requests } = await serve(() => ({
			body: speakGemini({ text: ["One", "two"] }).slice(0, 1),
			ending: "hang",
		}));
		const seen: ModelPart[] = [];
		for await (const part of aProvider(options).model(modelId)?.stream(aRequest()) ?? []) {
			seen.push(part);
			break;
		}
		await requests[0]?.closed;
		expect(seen).toHaveLength(1);
	});
});

describe("Google's list of models", () => {
	it("has those that talk, under the names that references use", async () => {
		const methods = ["generateContent", "countTokens"];
		const models = [
			{ name: "models/gemini-9-flash", displayName: "Gemini 9 Flash", supportedGenerationMethods: methods },
			{ name: "models/embedding-9", displayName: "Embedding", supportedGenerationMethods: ["embedContent"] },
			{ name: "models/gemini-9-pro", supportedGenerationMethods: methods },
		];
		const { options, requests } = await serve(() => ({ body: [JSON.stringify({ models })] }));
		expect(await aProvider(options).listModels(never)).toEqual({
			ok: true,
			models: [
				{ id: "gemini-9-flash", label: "Gemini 9 Flash" },
				{ id: "gemini-9-pro", label: "gemini-9-pro" },
			],
		});
		expect(requests[0]).toMatchObject({ method: "GET", path: "/v1beta/models?pageSize=1000" });
		expect(requests[0]?.headers).toMatchObject({ "x-goog-api-key": canaryKey });
	});

	it("tells a wrong key as one, without it", async () => {
		const body = [geminiFailure(400, "INVALID_ARGUMENT", `API key not valid: ${canaryKey}`, [geminiDetails.wrongKey])];
		const { options } = await serve(() => ({ status: 400, body }));
		const message = "API key not valid: [secret]";
		expect(await aProvider(options).testConnection(never)).toEqual({
			ok: false,
			error: { kind: "auth", message, retryable: false, statusCode: 400 },
		});
	});
});
