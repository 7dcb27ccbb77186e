import { describe, expect, it } from "vitest";
import type { ModelPart, ModelRequest } from "../../../src/core/models/modelPort.ts";
import { Consents } from "../../../src/shell/adapters/lmConsents.ts";
import type { LmPart } from "../../../src/shell/adapters/lmMessages.ts";
import { type LmChat, type LmSource, streamLm } from "../../../src/shell/adapters/lmStream.ts";
import { aRequest } from "../core/models/askWire.ts";

class CodedError extends Error {
	readonly code: string;
	constructor(code: string) {
		super(`refused: ${code}`);
		this.code = code;
	}
}

const deaf = () => new Promise<never>(() => undefined);

/** A chat model that says these parts; `cancelled` counts how often its request was ended. */
function aChat(parts: readonly LmPart[], own: Partial<LmChat> = {}) {
	const state = { cancelled: 0, sent: 0 };
	const chat: LmChat = {
		name: "copilot/gpt-x",
		countTokens: async (text) => text.length,
		async send() {
			state.sent += 1;
			return (async function* () {
				yield* parts;
			})();
		},
		cancel: () => void (state.cancelled += 1),
		...own,
	};
	return { chat, state };
}

async function ask(chat: LmChat | undefined, request: Partial<ModelRequest> = {}, source: Partial<LmSource> = {}) {
	const whole: LmSource = {
		open: async () => chat,
		codeOf: (error) => (error instanceof CodedError ? error.code : undefined),
		consents: new Consents(),
		...source,
	};
	const parts: ModelPart[] = [];
	for await (const part of streamLm(whole, aRequest(request))) parts.push(part);
	expect(parts.filter(({ type }) => type === "finish")).toHaveLength(1);
	expect(parts.at(-1)?.type).toBe("finish");
	return parts;
}

const call: LmPart = { type: "call", id: "1", name: "read_file", input: { path: "a" } };

describe("an answer of a VS Code model", () => {
	it("arrives as text and calls, with the model's name and counted tokens that are marked as estimates", async () => {
		const { chat, state } = aChat([{ type: "text", text: "I " }, { type: "text", text: "look." }, call]);
		expect(await ask(chat)).toEqual([
			{ type: "response-metadata", modelId: "copilot/gpt-x" },
			{ type: "text-start", id: "text" },
			{ type: "text-delta", id: "text", delta: "I " },
			{ type: "text-delta", id: "text", delta: "look." },
			{ type: "tool-call", toolCallId: "1", toolName: "read_file", input: { path: "a" } },
			{ type: "text-end", id: "text" },
			{
				type: "finish",
				finishReason: "tool-calls",
				usage: {
					inputTokens: { total: "Be brief.\nHello\n[]".length, cacheRead: 0 },
					outputTokens: { total: 'I look.\nread_file {"path":"a"}'.length, reasoning: 0 },
					usd: null,
					isEstimate: true,
				},
			},
		]);
		expect(state).toEqual({ cancelled: 1, sent: 1 });
	});

	it("has no calls where none may be made", async () => {
		const parts = await ask(aChat([call, { type: "text", text: "Done." }]).chat, { toolChoice: "none" });
		expect(parts.some(({ type }) => type === "tool-call")).toBe(false);
		expect(parts.at(-1)).toMatchObject({ finishReason: "stop" });
	});

	it("is estimated by its length where tokens cannot be counted", async () => {
		const { chat } = aChat([{ type: "text", text: "12345678" }], {
			countTokens: () => Promise.reject(new Error("no")),
		});
		expect((await ask(chat)).at(-1)).toMatchObject({ usage: { outputTokens: { total: 2 }, isEstimate: true } });
	});

	it("that breaks off keeps its text, tells the error, finishes, and ends the request", async () => {
		const { chat, state } = aChat([], {
			send: async () =>
				(async function* (): AsyncGenerator<LmPart> {
					yield { type: "text", text: "Half" };
					throw new Error("socket hang up");
				})(),
		});
		const parts = await ask(chat);
		expect(parts).toContainEqual({ type: "text-delta", id: "text", delta: "Half" });
		expect(parts.at(-2)).toMatchObject({ type: "error", error: { kind: "network", retryable: true } });
		expect(parts.at(-1)).toMatchObject({ finishReason: "error" });
		expect(state.cancelled).toBe(1);
	});

	it("is an error that names the next step where VS Code has no such model", async () => {
		const parts = await ask(undefined);
		expect(parts[0]).toMatchObject({ type: "error", error: { kind: "not-found", retryable: false } });
	});

	it.each([
		["while the model is looked for", {}, { open: deaf }],
		["while the person is asked for consent", { send: deaf }, {}],
		["in the middle", { send: async () => ({ [Symbol.asyncIterator]: () => ({ next: deaf }) }) }, {}],
	])("stops at once %s, also when the provider is deaf", async (_, own, source) => {
		const stopping = new AbortController();
		const { chat, state } = aChat([], own);
		const asked = ask(chat, { signal: stopping.signal }, source);
		// Let it come to where it hangs.
		for (let turn = 0; turn < 20; turn++) await Promise.resolve();
		stopping.abort();
		const parts = await asked;
		expect(parts.some(({ type }) => type === "error")).toBe(false);
		expect(parts.at(-1)).toMatchObject({ finishReason: "aborted" });
		expect(state.cancelled).toBe("open" in source ? 0 : 1);
	});

	it("that is left behind ends the request for the provider", async () => {
		const { chat, state } = aChat([
			{ type: "text", text: "a" },
			{ type: "text", text: "b" },
		]);
		const source: LmSource = { open: async () => chat, codeOf: () => undefined, consents: new Consents() };
		for await (const part of streamLm(source, aRequest())) if (part.type === "text-delta") break;
		expect(state.cancelled).toBe(1);
	});
});

describe("consent", () => {
	it("is asked once for many first requests: the others wait, and go together after a yes", async () => {
		const consents = new Consents();
		let sent = 0;
		let allow: () => void = () => undefined;
		const allowed = new Promise<void>((resolve) => (allow = resolve));
		const send = async () => {
			sent += 1;
			await allowed;
			return (async function* (): AsyncGenerator<LmPart> {
				yield { type: "text", text: "ok" };
			})();
		};
		const all = Array.from({ length: 3 }, () => ask(aChat([], { send }).chat, {}, { consents }));
		for (let turn = 0; turn < 20; turn++) await Promise.resolve();
		expect(sent).toBe(1);
		allow();
		await Promise.all(all);
		expect(sent).toBe(3);
	});

	it("that is refused is refused for all who waited, and asked anew later", async () => {
		const consents = new Consents();
		let sent = 0;
		const send = async () => {
			sent += 1;
			await Promise.resolve();
			throw new CodedError("NoPermissions");
		};
		const answers = await Promise.all(Array.from({ length: 3 }, () => ask(aChat([], { send }).chat, {}, { consents })));
		expect(sent).toBe(1);
		for (const parts of answers) {
			expect(parts[0]).toMatchObject({ type: "error", error: { kind: "auth", retryable: false } });
		}
		await ask(aChat([], { send }).chat, {}, { consents });
		expect(sent).toBe(2);
	});

	it("for one model says nothing about another", async () => {
		const consents = new Consents();
		const first = consents.ask("a/one", deaf);
		expect(await consents.ask("a/two", async () => "sent")).toBe("sent");
		await expect(Promise.race([first, Promise.resolve("waiting")])).resolves.toBe("waiting");
	});
});
