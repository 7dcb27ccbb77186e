import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type ModelServer,
	type ScriptedReply,
	speak,
	type Speech,
	startModelServer,
} from "../../../fakes/modelServer.ts";
import { askProvider, callsIn, errorIn, finishOf, textIn, wires } from "./askWire.ts";

const speech: Speech = {
	thinking: ["Größe 😀", " und 漢字"],
	text: ["\u2028 line", "\r\nnext\n\n", "data: x", "👩‍👩‍👧 end"],
	calls: [
		{ id: "a", name: "write_file", pieces: ['{"text":"', "é😀", '\\u00e9"}'] },
		{ id: "b", name: "list", pieces: ["{}"] },
	],
};

let server: ModelServer;
let reply: ScriptedReply = {};

beforeAll(async () => {
	server = await startModelServer({ script: () => reply });
});
afterAll(() => server.close());

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
	const at = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].toSorted((a, b) => a - b);
	return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const decorations: Readonly<Record<string, (text: string) => string>> = {
	"as it is": (text) => text,
	"with CRLF": (text) => text.replaceAll("\n", "\r\n"),
	"with bare CR": (text) => text.replaceAll("\n", "\r"),
	"after a byte order mark": (text) => `\uFEFF${text}`,
	"without a space after the colon": (text) => text.replaceAll("data: {", "data:{"),
	"between comments and unknown fields": (text) =>
		text.replaceAll("data: {", ": keep-alive\nretry: 5\nid: 7\nfoo\ndata: {"),
	"between unknown events": (text) => `event: new\ndata: {"type":"response.new.thing","n":1}\n\n${text}`,
};

describe.each(wires)("A stream in the dialect %s", (wire) => {
	const text = speak(wire, speech).join("");
	const ask = (body: readonly (string | Uint8Array)[], ending: ScriptedReply["ending"] = "end") => {
		reply = { body, ending };
		return askProvider({ wire, baseUrl: server.url });
	};

	it("gives the same parts wherever its bytes are split", async () => {
		const expected = await ask([text]);
		expect(errorIn(expected)).toBeUndefined();
		const bytes = Buffer.from(text);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 12 }), async (cuts) => {
				expect(await ask(split(bytes, cuts))).toEqual(expected);
			}),
			{ numRuns: 40 },
		);
	});

	it.each(Object.entries(decorations))("is read %s", async (_, decorate) => {
		const parts = await ask([decorate(text)]);
		expect(parts).toEqual(await ask([text]));
		expect(textIn(parts)).toBe(speech.text?.join(""));
	});

	it("that ends in the middle of a line was cut, and its last event needs no empty line", async () => {
		const start = text.slice(0, text.indexOf("next"));
		expect(errorIn(await ask([start]))).toMatchObject({ kind: "network", retryable: true });
		expect(await ask([text.trimEnd()])).toEqual(await ask([text]));
	});

	it("that is cut at any byte is whole or a retryable failure, and never has half a call", async () => {
		const whole = await ask([text]);
		const bytes = Buffer.from(text);
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: bytes.length - 1 }), fc.boolean(), async (at, isClean) => {
				const parts = await ask([bytes.subarray(0, at)], isClean ? "end" : "cut");
				const { retryable = false } = errorIn(parts) ?? {};
				const seen = { retryable, finishReason: finishOf(parts)?.finishReason, calls: callsIn(parts) };
				expect([
					{ retryable: true, finishReason: "error", calls: [] },
					{ retryable: false, finishReason: "tool-calls", calls: callsIn(whole) },
				]).toContainEqual(seen);
				expect(speech.text?.join("").startsWith(textIn(parts))).toBe(true);
			}),
			{ numRuns: 60 },
		);
	});
});
