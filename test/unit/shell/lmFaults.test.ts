/** The provider fault matrix for VS Code's own models: its list of cells is in core/models/providerFaults. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { retryDelay } from "../../../src/core/engine/retryDelay.ts";
import type { Model, ModelErrorKind, ModelPart, ModelRequest } from "../../../src/core/models/modelPort.ts";
import { createLmProvider } from "../../../src/shell/adapters/lmProvider.ts";
import * as vscode from "../../fakes/editorStandIn.ts";
import { runModel } from "../core/loop/aLoop.ts";
import { callsIn, errorIn, finishOf, textIn, aRequest } from "../core/models/askWire.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
const { editor } = vscode;
beforeEach(() => vscode.resetEditor());

const text = (value: string) => new vscode.LanguageModelTextPart(value);
const call = (id: unknown, name: unknown, input: unknown) =>
	new vscode.LanguageModelToolCallPart(id as string, name as string, input as object);
const goodCall = call("1", "look", { path: "a" });

/** Says these parts, then fails. */
async function* cutAfter(parts: readonly unknown[], error: Error) {
	yield* parts;
	throw error;
}

async function* whole(...parts: readonly unknown[]) {
	yield* parts;
}

/** A model of VS Code whose requests go this way, one after the other, and then the last one for ever. */
function offer(...replies: readonly (() => unknown)[]) {
	const state = { requests: 0 };
	const sendRequest = async () => {
		const reply = replies[Math.min(state.requests++, replies.length - 1)];
		return { stream: await reply?.() };
	};
	editor.models = [
		{ vendor: "copilot", id: "gpt-x", family: "gpt-x", name: "GPT X", sendRequest, countTokens: async () => 3 },
	];
	return state;
}

const model = () => createLmProvider().model("copilot/gpt-x") as Model;

async function ask(request: Partial<ModelRequest> = {}) {
	const parts: ModelPart[] = [];
	for await (const part of model().stream(aRequest(request))) parts.push(part);
	expect(parts.filter(({ type }) => type === "finish")).toHaveLength(1);
	expect(parts.at(-1)?.type).toBe("finish");
	return parts;
}

const runOn = (given: Model) => runModel(given, { retryDelay });

const refuse = (reason: Error) => () => Promise.reject(reason);
const coded = (code: string) => refuse(new vscode.LanguageModelError(code));
const worded = (words: string) => refuse(new Error(words));
const cutIn =
	(...parts: readonly unknown[]) =>
	() =>
		cutAfter(parts, new Error("net::ERR: socket hang up"));

const faults: Readonly<Record<string, readonly [() => unknown, ModelErrorKind, boolean]>> = {
	"an unknown host": [worded("getaddrinfo ENOTFOUND api.example"), "network", true],
	"a refused connection": [worded("connect ECONNREFUSED 192.0.2.1:443"), "network", true],
	"a reset": [worded("read ECONNRESET"), "network", true],
	"no consent": [coded("NoPermissions"), "auth", false],
	"401": [worded("Request failed: 401 Unauthorized"), "auth", false],
	"403": [worded("Request failed: 403 Forbidden"), "auth", false],
	"a quota that VS Code keeps": [coded("Blocked"), "quota", false],
	"402": [worded("402 Payment Required"), "quota", false],
	"a model that is gone": [coded("NotFound"), "not-found", false],
	"429": [worded("Request failed: 429 Too Many Requests"), "rate-limit", true],
	...Object.fromEntries(
		[500, 502, 503, 504, 529].map((status) => [
			`${status}`,
			[worded(`Server error: ${status}`), "overload", true] as const,
		]),
	),
	"an error without a word": [worded(""), "unknown", true],
	"a cut before the first part": [cutIn(), "network", true],
	"a cut in the text": [cutIn(text("One ")), "network", true],
	"a cut after a call": [cutIn(text("One "), goodCall), "network", true],
	"an overload in the middle": [() => cutAfter([text("One ")], new Error("overloaded_error")), "overload", true],
	"an overflow": [worded("The prompt is too long: 210000 tokens"), "context-overflow", false],
	"an answer that was filtered": [worded("Response got filtered"), "content-filter", false],
};
const cells = Object.entries(faults).map(([name, [reply, kind, retryable]]) => ({ name, reply, kind, retryable }));

describe("a fault of a VS Code model", () => {
	it.each(cells)("is an error part and a finish: $name", async ({ reply, kind, retryable }) => {
		const state = offer(reply);
		const parts = await ask();
		expect(errorIn(parts)).toMatchObject({ kind, retryable, message: expect.stringMatching(/./u) });
		expect(parts.filter(({ type }) => type === "error")).toHaveLength(1);
		expect(finishOf(parts)?.finishReason).toBe("error");
		expect(state.requests).toBe(1);
	});

	it.each(cells)("runs no call, and is asked again only where that may help: $name", async ({ reply, retryable }) => {
		const state = offer(reply, () => whole(text("Seven.")));
		const { outcome, executed, waits } = await runOn(model());
		expect(outcome.kind).toBe(retryable ? "finished" : "failed");
		expect([executed, waits.length, state.requests]).toEqual([[], retryable ? 1 : 0, retryable ? 2 : 1]);
	});
});

describe("a call of a VS Code model", () => {
	it.each([[["a"]], [null], ['{"path":'], [12], [undefined]])(
		"with the input %j is told as no object, answered and never run",
		async (input) => {
			offer(
				() => whole(call("1", "look", input)),
				() => whole(text("Seven.")),
			);
			expect(callsIn(await ask())).toEqual([
				{ type: "tool-call", toolCallId: "1", toolName: "look", input: {}, inputError: "The input is no JSON object." },
			]);
			offer(
				() => whole(call("1", "look", input)),
				() => whole(text("Seven.")),
			);
			expect(await runOn(model())).toMatchObject({ outcome: { kind: "finished" }, executed: [] });
		},
	);

	it("may have keys such as __proto__, and 2 MB", async () => {
		const input = JSON.parse(`{"__proto__":{"x":1},"text":"${"x".repeat(2_000_000)}"}`) as object;
		offer(() => whole(call("1", "look", input)));
		const [found] = callsIn(await ask());
		expect(Object.keys(found?.input as object)).toEqual(["__proto__", "text"]);
		expect(found?.inputError).toBeUndefined();
	});

	it("has an id of its own, where the provider gives none, the same twice, or one of an earlier turn", async () => {
		offer(() => whole(goodCall, call("1", "look", {}), call("", "look", {}), call(undefined, "look", {}), goodCall));
		const earlier = { toolCallId: "1", toolName: "look", input: {} };
		const messages = [
			{ role: "user", text: "Hello" },
			{ role: "assistant", text: "", toolCalls: [earlier] },
			{ role: "tool", toolCallId: "1", toolName: "look", text: "seven", isError: false },
		] as const;
		for (const [request, first] of [
			[{}, "1"],
			[{ messages }, expect.not.stringMatching(/^1$/u)],
		] as const) {
			const ids = callsIn(await ask(request)).map(({ toolCallId }) => toolCallId);
			expect(ids[0]).toEqual(first);
			expect(new Set(ids).size).toBe(5);
			expect(ids.every((id) => id !== "")).toBe(true);
		}
	});

	it("that names no tool is answered and never run", async () => {
		offer(
			() => whole(call("1", "", {}), call("2", undefined, {})),
			() => whole(text("Seven.")),
		);
		expect(await runOn(model())).toMatchObject({ outcome: { kind: "finished" }, executed: [] });
	});

	it("is one of 500 at once: 32 of them are run", async () => {
		const calls = Array.from({ length: 500 }, (_, index) => call(`c${index}`, "look", {}));
		offer(
			() => whole(...calls),
			() => whole(text("Seven.")),
		);
		expect((await runOn(model())).executed).toHaveLength(32);
	});
});

describe("VS Code's list of models", () => {
	it("may change between two turns: the same model is found again, and one that is gone ends the run", async () => {
		offer(() => whole(goodCall));
		const asked = model();
		const [first] = editor.models;
		const turns: string[] = [];
		const read = async () => {
			const parts: ModelPart[] = [];
			for await (const part of asked.stream(aRequest())) parts.push(part);
			turns.push(errorIn(parts)?.kind ?? textIn(parts));
		};
		await read();
		offer(() => whole(text("again")));
		expect(editor.models[0]).not.toBe(first);
		await read();
		editor.models = [];
		await read();
		expect(turns).toEqual(["", "again", "not-found"]);
		expect((await runOn(asked)).outcome).toMatchObject({
			kind: "failed",
			message: expect.stringContaining("Muster: Pick Model"),
		});
	});
});

describe("an empty answer of a VS Code model", () => {
	it("is asked for once more, and the second one fails the run", async () => {
		const state = offer(() => whole());
		expect((await runOn(model())).outcome).toEqual({ kind: "failed", message: "The model ended without an answer." });
		expect(state.requests).toBe(2);
	});
});
