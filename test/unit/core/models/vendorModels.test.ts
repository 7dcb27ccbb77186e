/** The models of each vendor by way of its package, against a server that speaks as that vendor does. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { ModelMessage, ModelPart } from "../../../../src/core/models/modelPort.ts";
import { vendors } from "../../../../src/core/models/vendors.ts";
import { spokenUsage } from "../../../fakes/modelServer.ts";
import { spokenVendors, vendorWires } from "../../../fakes/vendorSpeech.ts";
import { answerOf, askVendor, readCalls, readResults, readTool, serveVendor, untilSaid } from "./askVendor.ts";
import { aProvider, aRequest, askProvider, callsIn, canaryKey, errorIn, finishOf, textIn } from "./askWire.ts";

it("Every vendor is tested here", () => {
	expect(vendorWires.toSorted()).toEqual(Object.keys(vendors).toSorted());
});

describe.each(vendorWires)("An answer of %s", (wire) => {
	const { speak, answering, countsReasoning } = spokenVendors[wire];

	it("is thinking and text in blocks, with usage split and the model that really answered", async () => {
		const { parts } = await askVendor(wire, { body: speak({ thinking: ["Hm, ", "well."], text: ["One ", "two."] }) });
		expect(parts.map(({ type }) => type).filter((type) => type !== "replay")).toEqual([
			"response-metadata",
			"reasoning-start",
			"reasoning-delta",
			"reasoning-delta",
			"reasoning-end",
			"text-start",
			"text-delta",
			"text-delta",
			"text-end",
			"finish",
		]);
		expect([textIn(parts, "reasoning-delta"), textIn(parts)]).toEqual(["Hm, well.", "One two."]);
		expect(parts[0]).toEqual({ type: "response-metadata", modelId: answering });
		expect(finishOf(parts)).toEqual({
			type: "finish",
			finishReason: "stop",
			usage: {
				inputTokens: { total: spokenUsage.input, cacheRead: spokenUsage.cacheRead },
				outputTokens: { total: spokenUsage.output, reasoning: countsReasoning ? spokenUsage.reasoning : 0 },
				usd: null,
				isEstimate: false,
			},
		});
	});

	it("has parallel calls with their input parsed, and tells of progress", async () => {
		let progress = 0;
		const body = speak({ text: ["Look."], calls: readCalls });
		const { parts } = await askVendor(wire, { body }, { onProgress: () => progress++ });
		expect(textIn(parts)).toBe("Look.");
		expect(callsIn(parts)).toEqual([
			{ type: "tool-call", toolCallId: "callAlpha", toolName: "read_file", input: { path: "a" } },
			{ type: "tool-call", toolCallId: "callBravo", toolName: "read_file", input: { path: "b" } },
		]);
		expect(finishOf(parts)?.finishReason).toBe("tool-calls");
		expect(progress).toBeGreaterThan(1);
	});

	it("has calls with ids of their own where they were used before", async () => {
		const messages: ModelMessage[] = [
			{ role: "user", text: "Go" },
			{ role: "assistant", text: "", toolCalls: [{ toolCallId: "callBravo", toolName: "read_file", input: {} }] },
			{ role: "tool", toolCallId: "callBravo", toolName: "read_file", text: "B", isError: false },
		];
		const { parts } = await askVendor(wire, { body: speak({ calls: readCalls }) }, { messages, tools: [readTool] });
		const ids = callsIn(parts).map(({ toolCallId }) => toolCallId);
		expect(new Set(ids).size).toBe(2);
		expect(ids).toContain("callAlpha");
		expect(ids).not.toContain("callBravo");
	});

	it("that is as long as it may be says so", async () => {
		const { parts } = await askVendor(wire, { body: speak({ text: ["One"], finish: "length" }) });
		expect(finishOf(parts)?.finishReason).toBe("length");
	});

	it("is read byte by byte", async () => {
		const bytes = Buffer.concat(speak({ text: ["Grüße 🙂"] }).map((event) => Buffer.from(event)));
		const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
		expect(textIn((await askVendor(wire, { body: pieces })).parts)).toBe("Grüße 🙂");
	});

	it("waits for a reader who is slow, and is complete", async () => {
		const text = Array.from({ length: 1000 }, (_, index) => `${index} ${"x".repeat(200)}\n`);
		const body = [Buffer.concat(speak({ text }).map((event) => Buffer.from(event)))];
		const { options } = await serveVendor(wire, () => ({ body }));
		let read = "";
		for await (const part of aProvider(options).model(spokenVendors[wire].modelId)?.stream(aRequest()) ?? []) {
			if (part.type !== "text-delta") continue;
			read += part.delta;
			if (read.length % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
		}
		expect(read).toBe(text.join(""));
	});
});

describe.each(vendorWires)("What %s is sent", (wire) => {
	const { speak, path, modelId } = spokenVendors[wire];

	it("goes to the place of its models, as Muster", async () => {
		const { requests } = await askVendor(wire, { body: speak({ text: ["ok"] }) });
		expect(requests).toHaveLength(1);
		expect(requests[0]).toMatchObject({ method: "POST", path, headers: { "user-agent": "muster" } });
	});

	it("is the conversation with the results of its own calls", async () => {
		const { options, requests } = await serveVendor(wire, (index) => ({
			body: index === 0 ? speak({ thinking: ["Hm"], text: ["Look."], calls: readCalls }) : speak({ text: ["ok"] }),
		}));
		const begun: ModelMessage[] = [{ role: "user", text: "Read a and b \uD83D" }];
		const first = await askProvider(options, { messages: begun, tools: [readTool] }, modelId);
		const messages = [...begun, answerOf(first), ...readResults];
		const second = await askProvider(options, { messages, tools: [readTool] }, modelId);
		expect([textIn(second), finishOf(second)?.finishReason]).toEqual(["ok", "stop"]);
		const sent = JSON.stringify(requests[1]?.body);
		const order = ["Be brief.", "Read a and b \uFFFD", "Look.", "callAlpha", "callBravo", '"A"', "gone"];
		const places = order.map((said) => sent.indexOf(said));
		expect(places).not.toContain(-1);
		// Wherever the vendor wants the system prompt, the rest is in order.
		expect(places.slice(1)).toEqual(places.slice(1).toSorted((one, other) => one - other));
		expect(sent.match(/callAlpha/gu)).toHaveLength(sent.match(/callBravo/gu)?.length ?? 0);
	});
});

describe.each(vendorWires)("The key of %s", (wire) => {
	const { speak, modelId, keyHeader, variable } = spokenVendors[wire];
	const [header, scheme] = keyHeader;

	it("is in a header of ours alone, and not in the request", async () => {
		const { requests, body } = await askVendor(wire, { body: speak({ text: ["ok"] }) });
		const { [header]: sent, ...others } = requests[0]?.headers ?? {};
		expect(sent).toBe(`${scheme}${canaryKey}`);
		expect(JSON.stringify([others, body, requests[0]?.path])).not.toContain(canaryKey);
	});

	it("is not taken from the environment behind the provider's back", async () => {
		const before = process.env[variable];
		process.env[variable] = canaryKey;
		onTestFinished(() => {
			if (before === undefined) delete process.env[variable];
			else process.env[variable] = before;
		});
		const { options, requests } = await serveVendor(wire, () => ({ body: speak({ text: ["ok"] }) }));
		expect(textIn(await askProvider({ ...options, apiKey: async () => undefined }, {}, modelId))).toBe("ok");
		expect(requests[0]?.headers).not.toHaveProperty(header);
		expect(JSON.stringify(requests[0]?.headers)).not.toContain(canaryKey);
	});

	it.each(["key-with\nline", "key-“quoted”"])("%j is refused without being told", async (key) => {
		const { options, requests } = await serveVendor(wire, () => ({}));
		const error = errorIn(await askProvider({ ...options, apiKey: async () => key }, {}, modelId));
		expect(error).toMatchObject({ kind: "auth", retryable: false });
		expect(error?.message).not.toContain("key-");
		expect(requests).toEqual([]);
	});

	it("never leaves over http to another machine, and no model's name leads it elsewhere", async () => {
		const away = { wire, baseUrl: "http://models.example/v1" } as const;
		expect(errorIn(await askProvider(away, {}, modelId))).toMatchObject({ kind: "auth", retryable: false });
		const { requests } = await askVendor(wire, { status: 404 }, {}, "//evil.example/x");
		expect(requests).toHaveLength(1);
	});
});

describe.each(vendorWires)("An abort of an answer of %s", (wire) => {
	const { modelId } = spokenVendors[wire];
	const begun = untilSaid(wire, { text: ["One", "two"] }, "two");

	it.each([
		["while the first byte is awaited", { before: "hang" }],
		["after the headers", { ending: "hang" }],
		["in the text", { body: begun, ending: "hang" }],
	] as const)("closes the socket %s", async (_, reply) => {
		const stopping = new AbortController();
		const { options, requests } = await serveVendor(wire, () => {
			setImmediate(() => stopping.abort());
			return reply;
		});
		const parts = await askProvider(options, { signal: stopping.signal }, modelId);
		expect(finishOf(parts)?.finishReason).toBe("aborted");
		expect(errorIn(parts)).toBeUndefined();
		await requests[0]?.closed;
	});

	it("before the start, or while the key is looked up, sends nothing", async () => {
		const { options, requests } = await serveVendor(wire, () => ({}));
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
		const { options, requests } = await serveVendor(wire, () => ({ body: begun, ending: "hang" }));
		const seen: ModelPart[] = [];
		for await (const part of aProvider(options).model(modelId)?.stream(aRequest()) ?? []) {
			seen.push(part);
			break;
		}
		await requests[0]?.closed;
		expect(seen).toHaveLength(1);
	});
});
