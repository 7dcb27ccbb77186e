import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ModelPart } from "../../../src/core/models/modelPort.ts";
import { createLmProvider } from "../../../src/shell/adapters/lmProvider.ts";
import * as vscode from "../../fakes/editorStandIn.ts";
import { aRequest } from "../core/models/askWire.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
const { editor } = vscode;
beforeEach(() => vscode.resetEditor());

function aChatModel(id: string, family: string, send: (...all: readonly unknown[]) => unknown) {
	return { vendor: "copilot", id, family, name: id, sendRequest: send, countTokens: async () => 3 };
}

async function* stream(...parts: readonly unknown[]) {
	yield* parts;
}

async function ask(reference: string, request = {}) {
	const parts: ModelPart[] = [];
	for await (const part of createLmProvider().model(reference)?.stream(aRequest(request)) ?? []) parts.push(part);
	return parts;
}

describe("VS Code's language models", () => {
	it("are asked in their own classes, with the tools, and their request is ended", async () => {
		const asked: unknown[][] = [];
		const send = async (...all: readonly unknown[]) => {
			asked.push([...all]);
			const call = new vscode.LanguageModelToolCallPart("1", "read_file", { path: "a" });
			return { stream: stream(new vscode.LanguageModelTextPart("Hi"), { unknown: "part" }, call) };
		};
		editor.models = [aChatModel("gpt-x-1", "gpt-x", send)];
		const tool = { name: "read_file", description: "Reads.", inputSchema: { type: "object" } };
		const messages = [
			{ role: "user", text: "Hello" },
			{ role: "assistant", text: "", toolCalls: [{ toolCallId: "0", toolName: "read_file", input: {} }] },
			{ role: "tool", toolCallId: "0", toolName: "read_file", text: "seven", isError: false },
		];
		const parts = await ask("copilot/gpt-x", { tools: [tool], messages });
		expect(parts).toContainEqual({ type: "response-metadata", modelId: "copilot/gpt-x-1" });
		expect(parts).toContainEqual({ type: "text-delta", id: "text", delta: "Hi" });
		expect(parts).toContainEqual({ type: "tool-call", toolCallId: "1", toolName: "read_file", input: { path: "a" } });
		expect(parts.at(-1)).toMatchObject({ type: "finish", usage: { inputTokens: { total: 3 }, usd: null } });
		const [sent, options, token] = asked[0] ?? [];
		const text = (value: string) => new vscode.LanguageModelTextPart(value);
		expect(sent).toEqual([
			new vscode.LanguageModelChatMessage(1, [text("Be brief."), text("Hello")]),
			new vscode.LanguageModelChatMessage(2, [new vscode.LanguageModelToolCallPart("0", "read_file", {})]),
			new vscode.LanguageModelChatMessage(1, [new vscode.LanguageModelToolResultPart("0", [text("seven")])]),
		]);
		expect(options).toMatchObject({ tools: [tool] });
		expect(token).toEqual({ isCancellationRequested: true });
	});

	it("are found by id before family, and only when they are used", async () => {
		const named = (id: string) => async () => ({ stream: stream(new vscode.LanguageModelTextPart(id)) });
		editor.models = [aChatModel("one", "gpt-x", named("one")), aChatModel("gpt-x", "other", named("gpt-x"))];
		const parts = await ask("copilot/gpt-x");
		expect(parts).toContainEqual({ type: "text-delta", id: "text", delta: "gpt-x" });
		expect((await ask("copilot/none"))[0]).toMatchObject({ type: "error", error: { kind: "not-found" } });
	});

	it("have the window that VS Code says, as soon as they have been asked once", async () => {
		const send = async () => ({ stream: stream(new vscode.LanguageModelTextPart("Hi")) });
		editor.models = [{ ...aChatModel("a", "a", send), maxInputTokens: 12_000 }];
		const provider = createLmProvider();
		const before = provider.model("copilot/a");
		for await (const _ of before?.stream(aRequest()) ?? []);
		expect(
			[before, provider.model("copilot/a"), provider.model("copilot/b")].map((each) => each?.contextWindow),
		).toEqual([12_000, 12_000, undefined]);
	});

	it("tell a refusal by VS Code's own error class", async () => {
		editor.models = [aChatModel("a", "a", () => Promise.reject(new vscode.LanguageModelError("NoPermissions")))];
		expect((await ask("copilot/a"))[0]).toMatchObject({ type: "error", error: { kind: "auth", retryable: false } });
	});

	it("need a vendor and a name, and are never set up unasked", async () => {
		const provider = createLmProvider();
		expect(["copilot", "copilot/", "/x"].map((id) => provider.model(id))).toEqual([undefined, undefined, undefined]);
		expect(await provider.isSetUp?.()).toBeUndefined();
		expect(await provider.findObstacle?.()).toBeUndefined();
	});
});
