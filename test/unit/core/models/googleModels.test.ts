/** What is Google's own; what all vendors have in common is in `vendorModels`. */
import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelRequest } from "../../../../src/core/models/modelPort.ts";
import {
	geminiDetails,
	geminiFailure,
	geminiSignature,
	speakGemini,
	speakGeminiWhole,
} from "../../../fakes/geminiSpeech.ts";
import type { ScriptedReply } from "../../../fakes/modelServer.ts";
import { answerOf, askVendor, readCalls, readResults, readTool, serveVendor } from "./askVendor.ts";
import { aProvider, callsIn, canaryKey, finishOf, textIn } from "./askWire.ts";

const never = new AbortController().signal;
const modelId = "gemini-9-flash";
const tools = [readTool];
const ask = (reply: ScriptedReply, request?: Partial<ModelRequest>, id?: string) =>
	askVendor("google", reply, request, id);

describe("An answer of Google's", () => {
	it("has calls with ids of their own where there are none", async () => {
		const calls = [{ name: "read_file", pieces: ["{}"] }, ...readCalls, ...readCalls];
		const ids = callsIn((await ask({ body: speakGemini({ calls }) })).parts).map(({ toolCallId }) => toolCallId);
		expect(new Set(ids).size).toBe(5);
		expect(ids).toContain("callAlpha");
	});

	it("that was filtered says so", async () => {
		const { parts } = await ask({ body: speakGemini({ text: ["One"], finish: "filter" }) });
		expect(finishOf(parts)?.finishReason).toBe("content-filter");
	});

	it("may have parts that nobody knows", async () => {
		const unknown = `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ dance: {} }] } }], more: 1 })}\n\n`;
		const { parts } = await ask({ body: [unknown, ...speakGemini({ text: ["ok"] })] });
		expect([textIn(parts), finishOf(parts)?.finishReason]).toEqual(["ok", "stop"]);
	});

	it("is read as one JSON document", async () => {
		const whole = (await ask({ body: [speakGeminiWhole({ text: ["One ", "two"] })] })).parts;
		expect([textIn(whole), finishOf(whole)?.finishReason]).toEqual(["One two", "stop"]);
	});
});

describe("What Google is sent", () => {
	it("is the conversation, the tools and the level of thinking, results and failures together", async () => {
		const messages: ModelMessage[] = [
			{ role: "user", text: "Read a and b \uD83D" },
			{
				role: "assistant",
				text: "Reading.",
				toolCalls: readCalls.map(({ id, name }) => ({ toolCallId: id, toolName: name, input: { path: id } })),
			},
			...readResults,
			{ role: "user", text: "" },
		];
		const { body } = await ask(
			{ body: speakGemini({ text: ["ok"] }) },
			{ messages, tools, toolChoice: "none", reasoning: "high", maxOutputTokens: 3000 },
		);
		const call = (id: string) => ({ functionCall: { id, name: "read_file", args: { path: id } } });
		const result = (id: string, response: object) => ({
			functionResponse: { id, name: "read_file", response: { name: "read_file", ...response } },
		});
		expect(body).toMatchObject({
			systemInstruction: { parts: [{ text: "Be brief." }] },
			contents: [
				{ role: "user", parts: [{ text: "Read a and b \uFFFD" }] },
				{ role: "model", parts: [{ text: "Reading." }, call("callAlpha"), call("callBravo")] },
				{ role: "user", parts: [result("callAlpha", { content: "A" }), result("callBravo", { error: "gone" })] },
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
		const messages: ModelMessage[] = [{ role: "user", text: "Go" }, answerOf(parts), ...readResults];
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

describe("Google's list of models", () => {
	it("has those that talk, under the names that references use", async () => {
		const methods = ["generateContent", "countTokens"];
		const models = [
			{ name: "models/gemini-9-flash", displayName: "Gemini 9 Flash", supportedGenerationMethods: methods },
			{ name: "models/embedding-9", displayName: "Embedding", supportedGenerationMethods: ["embedContent"] },
			{ name: "models/gemini-9-pro", supportedGenerationMethods: methods },
		];
		const { options, requests } = await serveVendor("google", () => ({ body: [JSON.stringify({ models })] }));
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
		const { options } = await serveVendor("google", () => ({ status: 400, body }));
		const message = "API key not valid: [secret]";
		expect(await aProvider(options).testConnection(never)).toEqual({
			ok: false,
			error: { kind: "auth", message, retryable: false, statusCode: 400 },
		});
	});
});
