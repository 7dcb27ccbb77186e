import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitEvents } from "../../../../src/core/mcp/eventStream.ts";
import { MessageLines, MessageTooLong } from "../../../../src/core/mcp/messageLines.ts";
import { ServerRequestLimit } from "../../../../src/core/mcp/serverRequestLimit.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { OutputTail } from "../../../../src/core/mcp/outputTail.ts";

/** The text in pieces of these lengths, over and over. */
function cut(text: string, lengths: readonly number[]): Buffer[] {
	const bytes = Buffer.from(text);
	const pieces: Buffer[] = [];
	for (let at = 0, each = 0; at < bytes.length; each++) {
		const length = lengths[each % lengths.length] ?? 1;
		pieces.push(bytes.subarray(at, at + length));
		at += length;
	}
	return pieces;
}

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

describe("MessageLines", () => {
	it("gives the same lines however the bytes are cut", () => {
		const someLines = fc.array(fc.stringMatching(/^[a-zé😀]{0,12}$/u), { maxLength: 8 });
		fc.assert(
			fc.property(someLines, lengths, fc.constantFrom("\n", "\r\n"), (lines, sizes, end) => {
				const reader = new MessageLines();
				const text = lines.map((line) => line + end).join("");
				const read = cut(`${text}rest`, sizes).flatMap((piece) => [...reader.push(piece)]);
				expect(read.map(String)).toEqual(lines);
			}),
		);
	});

	it("takes a line of the most bytes and refuses one more, whatever follows it in the same piece", () => {
		expect([...new MessageLines(4).push(Buffer.from("1234\n12\n"))].map(String)).toEqual(["1234", "12"]);
		expect(() => [...new MessageLines(4).push(Buffer.from("12345"))]).toThrow(MessageTooLong);
	});
});

describe("limitEvents", () => {
	async function read(text: string, sizes: readonly number[], maxBytes = 1000) {
		const lost: (number | undefined)[] = [];
		let ids = 0;
		const options = { maxBytes, stopsAtOnce: false, onTooLong: (id?: number) => lost.push(id), onId: () => ids++ };
		const source = (async function* () {
			yield* cut(text, sizes);
		})();
		const out: Uint8Array[] = [];
		for await (const bytes of limitEvents(source, options)) out.push(bytes);
		return { text: Buffer.concat(out).toString(), lost, ids };
	}

	it("passes complete events on, however the bytes are cut", async () => {
		const events = 'id: 1\ndata: {"a":1}\n\n: ping\n\nevent: message\r\ndata: é\r\n\r\n';
		await fc.assert(
			fc.asyncProperty(lengths, async (sizes) => {
				expect(await read(`${events}data: half`, sizes)).toEqual({ text: events, lost: [], ids: 1 });
			}),
		);
	});

	it.for([
		['{"jsonrpc":"2.0","id":7,"result":"', '"}', 7],
		['{"result":"', '","jsonrpc":"2.0","id":8}', 8],
		['{"other":"', '"}', undefined],
	] as const)("leaves out one that is too long, and tells whom it answers: %s…%s", async ([head, tail, id]) => {
		const text = `data: a\n\ndata: ${head}${"x".repeat(2000)}${tail}\n\ndata: b\n\n`;
		expect(await read(text, [64])).toEqual({ text: "data: a\n\ndata: b\n\n", lost: [id], ids: 0 });
	});
});

describe("ServerRequestLimit", () => {
	it("refuses what a server says unasked beyond 500 a second, and never an answer", () => {
		const clock = new ManualClock();
		const limit = new ServerRequestLimit(clock);
		const notification = Buffer.from('{"jsonrpc":"2.0","method":"notifications/message","params":{}}');
		const answer = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"method":"x"}}');
		for (let each = 0; each < 500; each++) {
			expect(limit.refuses(notification)).toBe(false);
			limit.count();
		}
		expect([limit.refuses(notification), limit.refuses(answer)]).toEqual([true, false]);
		clock.advance(1_000);
		expect(limit.refuses(notification)).toBe(false);
	});
});

describe("OutputTail", () => {
	it("keeps the last 100 lines, and of those the last 8 KB", () => {
		const lines = new OutputTail();
		for (let line = 0; line < 500; line++) lines.push(Buffer.from(`${line}\n`));
		expect(lines.text.split("\n")).toEqual(Array.from({ length: 100 }, (_, each) => String(400 + each)));
		const bytes = new OutputTail();
		bytes.push(Buffer.from(`${"a".repeat(9000)}b`));
		bytes.push(Buffer.from("c"));
		expect(bytes.text).toBe(`${"a".repeat(8190)}bc`);
	});
});
