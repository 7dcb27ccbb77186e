import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildPanel } from "./buildPanel.ts";

describe("the built panel", () => {
	it("stays within 150 KB, 50 KB packed, icons included", async () => {
		const files = [...(await buildPanel()).values()];
		const bytes = files.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
		const packed = files.reduce((sum, text) => sum + gzipSync(text).length, 0);
		expect(bytes).toBeLessThan(150 * 1024);
		expect(packed).toBeLessThan(50 * 1024);
	});
});
