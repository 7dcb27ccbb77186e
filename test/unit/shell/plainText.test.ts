import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/shell/errors/plainText.ts";

describe("plainText", () => {
	it.each([
		["a link that would run a command", "[Approve](command:evil.run)", "[Approve] (command:evil.run)"],
		["a link that was nested to survive", "[a]]((command:x)", "[a]] ((command:x)"],
		["characters that hide or reorder text", "a\u202Eb\u200Bc\u0000d", "a⟨U+202E⟩b⟨U+200B⟩c⟨U+0000⟩d"],
		["line breaks", " a\n\nb ", "a b"],
	])("makes %s harmless", (_, text, expected) => {
		expect(plainText(text)).toBe(expected);
	});

	it("cuts what is longer than asked for at a whole character", () => {
		expect(plainText("👩‍🚀".repeat(3), 2).endsWith("…")).toBe(true);
		expect(plainText("abcdef", 4)).toBe("abc…");
	});
});
