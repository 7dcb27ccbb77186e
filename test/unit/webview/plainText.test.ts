import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "../../../webview/plainText.ts";

/** Any sequence of code units, halves of characters included. */
const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));

describe("plainText", () => {
	it("leaves ordinary text alone, whatever its script", () => {
		expect(plainText("Größe prüfen — 你好, مرحبا 👩‍💻", 100)).toBe("Größe prüfen — 你好, مرحبا 👩‍💻");
	});

	it("makes one line of several and drops what would turn the text around", () => {
		expect(plainText("one\r\n\ttwo \u202Eexe.gnp\u202C\u0000", 100)).toBe("one two  exe.gnp");
	});

	it("cuts at the limit and says so, without leaving half a character", () => {
		expect(plainText("abcdef", 3)).toBe("abc…");
		expect(plainText("ab👍", 3)).toBe("ab…");
	});

	it("always gives one well-formed line within the limit", () => {
		fc.assert(
			fc.property(anyText, fc.nat(50), (text, limit) => {
				const line = plainText(text, limit);
				expect(line.isWellFormed()).toBe(true);
				expect(line.length).toBeLessThanOrEqual(limit + 1);
				expect(line).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
			}),
		);
	});
});
