import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputBuffer } from "../../../../../src/core/tools/builtin/outputBuffer.ts";

const headBytes = 256 * 1024;
const tailBytes = 768 * 1024;

/** Each byte tells its place. */
const stream = Buffer.from(new Uint8Array(6 * 1_500_000).map((_, place) => (place * 31 + (place >> 8)) & 0xff));

describe("OutputBuffer", () => {
	it("gives each byte of the first 256 KiB and the last 768 KiB by its place, however it came", () => {
		const sizes = fc.array(fc.oneof(fc.nat(100), fc.nat(70_000), fc.nat(1_500_000)), { maxLength: 6 });
		fc.assert(
			fc.property(sizes, fc.nat(3_000_000), fc.nat(100_000), (chunks, offset, max) => {
				const buffer = new OutputBuffer();
				let total = 0;
				for (const size of chunks) {
					buffer.push(stream.subarray(total, total + size));
					total += size;
				}
				const { bytes, from, next } = buffer.read(offset, max);
				expect(buffer.total).toBe(total);
				expect(next - from).toBe(bytes.length);
				expect(bytes.length).toBeLessThanOrEqual(max);
				expect(stream.subarray(from, next).equals(bytes)).toBe(true);
				const oldest = Math.max(headBytes, total - tailBytes);
				expect(from).toBe(offset < headBytes ? Math.min(offset, total) : Math.min(total, Math.max(offset, oldest)));
				expect(bytes.length > 0).toBe(max > 0 && from < total);
			}),
			{ numRuns: 60 },
		);
	});
});
