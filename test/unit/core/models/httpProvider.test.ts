import { describe, expect, it, onTestFinished } from "vitest";
import { builtinProviders, probeLocalProviders } from "../../../../src/core/models/builtinProviders.ts";
import type { ModelPart } from "../../../../src/core/models/modelPort.ts";
import { takeProxyFrom } from "../../../../src/core/models/wire/connections.ts";
import { type ScriptedReply, speak, startModelServer } from "../../../fakes/modelServer.ts";
import { aProvider, aRequest, askProvider, canaryKey, errorIn, finishOf, textIn, wires } from "./askWire.ts";

async function serve(script: (path: string, index: number) => ScriptedReply) {
	const server = await startModelServer({ script: ({ path }, index) => script(path, index) });
	onTestFinished(() => server.close());
	return server;
}

const never = new AbortController().signal;

describe("The key", () => {
	it("is trimmed and sent in the dialect's header", async () => {
		for (const wire of wires) {
			const { url, requests } = await serve(() => ({ body: speak(wire, { text: ["ok"] }) }));
			await askProvider({ wire, baseUrl: url, apiKey: async () => ` ${canaryKey}\n` });
			const { authorization, "x-api-key": own } = requests[0]?.headers ?? {};
			expect([authorization, own]).toEqual(
				wire === "anthropic" ? [undefined, canaryKey] : [`Bearer ${canaryKey}`, undefined],
			);
		}
	});

	it.each(["sk-ca\nnary", "sk-“canary”", "sk-canary\u0000", "sk canary"])(
		"%j is refused without being told",
		async (key) => {
			const { url, requests } = await serve(() => ({}));
			const error = errorIn(await askProvider({ baseUrl: url, apiKey: async () => key }));
			expect(error).toMatchObject({ kind: "auth", retryable: false });
			expect(error?.message).not.toMatch(/canary/u);
			expect(requests).toEqual([]);
		},
	);

	it("that cannot be read is an auth error without the reason's words", async () => {
		const parts = await askProvider({ apiKey: () => Promise.reject(new Error(`locked: ${canaryKey}`)) });
		expect(errorIn(parts)).toMatchObject({ kind: "auth", retryable: false });
	});

	it("never leaves over http to another machine, in a header of the user's either", async () => {
		for (const options of [{}, { apiKey: async () => undefined, headers: { Authorization: `Bearer ${canaryKey}` } }]) {
			const provider = { baseUrl: "http://models.example/v1", ...options };
			expect(errorIn(await askProvider(provider))).toMatchObject({ kind: "auth", retryable: false });
			expect(await aProvider(provider).testConnection(never)).toMatchObject({ ok: false, error: { kind: "auth" } });
		}
	});

	it("in a header of the user's is taken out of errors", async () => {
		const { url } = await serve(() => ({ status: 401, body: [`bad token ${canaryKey}`] }));
		const headers = { Authorization: `Bearer ${canaryKey}` };
		const parts = await askProvider({ baseUrl: url, apiKey: async () => undefined, headers });
		expect(errorIn(parts)?.message).toBe("bad token [secret]");
	});

	it("is not needed where there is none", async () => {
		const { url, requests } = await serve(() => ({ body: speak("chat", { text: ["ok"] }) }));
		expect(textIn(await askProvider({ baseUrl: url, apiKey: async () => undefined }))).toBe("ok");
		expect(requests[0]?.headers).not.toHaveProperty("authorization");
	});
});

describe("The address", () => {
	it.each(["", "models.example", "ftp://models.example", "https://user:secret@models.example/v1"])(
		"%j is refused",
		async (baseUrl) => {
			const error = errorIn(await askProvider({ baseUrl }));
			expect(error).toMatchObject({ kind: "bad-request", retryable: false });
			expect(error?.message).not.toContain("secret@");
		},
	);

	it("with https where plain http listens is a failure that no retry mends", async () => {
		const { url } = await serve(() => ({}));
		const parts = await askProvider({ baseUrl: url.replace("http:", "https:") });
		expect(errorIn(parts)).toMatchObject({ kind: "network", retryable: false });
	});

	it("is asked again at once when a kept connection had been closed", async () => {
		const { url, requests } = await serve((_, index) =>
			index === 1 ? { before: "cut" } : { body: speak("chat", { text: ["ok"] }) },
		);
		expect(textIn(await askProvider({ baseUrl: url }))).toBe("ok");
		// The end of the body frees the connection in a later turn.
		await requests[0]?.closed;
		expect(textIn(await askProvider({ baseUrl: url }))).toBe("ok");
		expect(requests).toHaveLength(3);
	});

	it("is reached through the environment's proxy on the command line, unless it is this machine", async ({ skip }) => {
		const proxy = await serve(() => ({ body: speak("chat", { text: ["by proxy"] }) }));
		const local = await serve(() => ({ body: speak("chat", { text: ["direct"] }) }));
		if (!takeProxyFrom({ HTTP_PROXY: new URL(proxy.url).origin }))
			skip("This Node takes no proxy from the environment.");
		onTestFinished(() => void takeProxyFrom({}));
		const ask = (baseUrl: string) => askProvider({ baseUrl, apiKey: async () => undefined });
		expect(textIn(await ask("http://models.example/v1"))).toBe("by proxy");
		expect(proxy.requests[0]?.path).toBe("http://models.example/v1/chat/completions");
		expect(textIn(await ask(local.url))).toBe("direct");
	});

	it("gets no header with characters that HTTP does not allow", async () => {
		const parts = await askProvider({ headers: { "x-a": "a\nb" } });
		expect(errorIn(parts)).toMatchObject({ kind: "bad-request", retryable: false });
		expect(await aProvider({ headers: { "x-a": "a\nb" } }).listModels(never)).toMatchObject({ ok: false });
	});
});

describe.each(wires)("An abort in the dialect %s", (wire) => {
	it.each([
		["while the first byte is awaited", { before: "hang" }],
		["after the headers", { ending: "hang" }],
		["in the text", { body: speak(wire, { text: ["One"] }).slice(0, 4), ending: "hang" }],
	] as const)("closes the socket %s", async (_, reply) => {
		const stopping = new AbortController();
		const { url, requests } = await serve(() => {
			setImmediate(() => stopping.abort());
			return reply;
		});
		const parts = await askProvider({ wire, baseUrl: url }, { signal: stopping.signal });
		expect(finishOf(parts)?.finishReason).toBe("aborted");
		expect(errorIn(parts)).toBeUndefined();
		await requests[0]?.closed;
	});

	it("before the start sends nothing", async () => {
		const { url, requests } = await serve(() => ({}));
		const parts = await askProvider({ wire, baseUrl: url }, { signal: AbortSignal.abort() });
		expect(parts.map(({ type }) => type)).toEqual(["finish"]);
		expect(requests).toEqual([]);
	});

	it("while the key is looked up sends nothing", async () => {
		const { url, requests } = await serve(() => ({}));
		const stopping = new AbortController();
		const apiKey = async () => {
			stopping.abort();
			return canaryKey;
		};
		expect(finishOf(await askProvider({ wire, baseUrl: url, apiKey }, { signal: stopping.signal }))?.finishReason).toBe(
			"aborted",
		);
		expect(requests).toEqual([]);
	});

	it("is what leaving the loop does", async () => {
		const { url, requests } = await serve(() => ({ body: speak(wire, { text: ["One"] }).slice(0, 4), ending: "hang" }));
		const seen: ModelPart[] = [];
		for await (const part of aProvider({ wire, baseUrl: url }).model("m")?.stream(aRequest()) ?? []) {
			seen.push(part);
			break;
		}
		await requests[0]?.closed;
		expect(seen).toHaveLength(1);
	});
});

describe("A reader who is slow", () => {
	it("gets everything, and the server waits for it", async () => {
		const text = Array.from({ length: 5000 }, (_, index) => `${index} ${"x".repeat(200)}\n`);
		const { url } = await serve(() => ({ body: [speak("chat", { text }).join("")] }));
		let read = "";
		for await (const part of aProvider({ baseUrl: url }).model("m")?.stream(aRequest()) ?? []) {
			if (part.type !== "text-delta") continue;
			read += part.delta;
			if (read.length % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
		}
		expect(read).toBe(text.join(""));
	});
});

describe("The list of models", () => {
	const listing = (body: unknown, status = 200) => ({
		status,
		headers: { "content-type": "application/json" },
		body: [JSON.stringify(body)],
	});

	it.each([
		["OpenAI's", { data: [{ id: "a" }, { id: "b", display_name: "B" }, { id: "a" }, 5, {}] }],
		["another's", { models: [{ name: "a" }, { name: "b", display_name: "B" }] }],
		["a bare one", [{ id: "a" }, { id: "b", display_name: "B" }]],
	])("is read when it is %s", async (_, body) => {
		const { url, requests } = await serve(() => listing(body));
		const models = [
			{ id: "a", label: "a" },
			{ id: "b", label: "B" },
		];
		expect(await aProvider({ baseUrl: url }).listModels(never)).toEqual({ ok: true, models });
		expect(requests[0]).toMatchObject({ method: "GET", path: "/v1/models" });
	});

	it("tests the connection, and tells what is wrong without the key", async () => {
		const replies: ScriptedReply[] = [
			listing({ data: [] }),
			listing({ error: "no such path" }, 404),
			listing({ error: { message: `Incorrect API key: ${canaryKey}` } }, 401),
			{ body: ["<html>"] },
		];
		const { url } = await serve((_, index) => replies[index] ?? {});
		const test = () => aProvider({ baseUrl: url }).testConnection(never);
		expect(await test()).toEqual({ ok: true });
		expect(await test()).toEqual({ ok: true });
		const message = "Incorrect API key: [secret]";
		expect(await test()).toEqual({ ok: false, error: { kind: "auth", message, retryable: false, statusCode: 401 } });
		expect(await test()).toMatchObject({ ok: false, error: { kind: "protocol" } });
	});

	it("stops with its signal", async () => {
		const { url, requests } = await serve(() => ({ before: "hang" }));
		const stopping = new AbortController();
		const listed = aProvider({ baseUrl: url }).listModels(stopping.signal);
		stopping.abort();
		expect(await listed).toMatchObject({ ok: false });
		for (const { closed } of requests) await closed;
	});

	it("shows which local servers are there", async () => {
		const { url } = await serve(() => listing({ data: [{ id: "llama" }] }));
		const local = { label: "L", wire: "chat", isLocal: true } as const;
		const here = { ...local, id: "here", baseUrl: url };
		const away = { ...local, id: "away", baseUrl: "http://127.0.0.1:1/v1" };
		expect(await probeLocalProviders(never, [here, away])).toEqual([
			{ provider: here, models: [{ id: "llama", label: "llama" }] },
		]);
	});
});

describe("The built-in providers", () => {
	it("are distinct, and only local ones need no key", () => {
		expect(new Set(builtinProviders.map(({ id }) => id)).size).toBe(builtinProviders.length);
		for (const { isLocal, envKey, baseUrl } of builtinProviders) {
			expect(envKey === undefined).toBe(isLocal);
			expect(baseUrl).toMatch(isLocal ? /^http:\/\/127\.0\.0\.1:\d+\/v1$/u : /^https:\/\//u);
		}
	});

	it("have models by any name but none", () => {
		expect(aProvider().model("a/b")).toMatchObject({ ref: "test/a/b", label: "a/b" });
		expect(aProvider().model("")).toBeUndefined();
	});
});
