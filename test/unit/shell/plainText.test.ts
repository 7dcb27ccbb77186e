import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/shell/errors/plainText.ts";

describe("plainText", () => {
	it.each([
		["a link that would run a command", "[Approve](command:evil.run)", "[Approve] (command:evil.run)"],
		["a link that was nested to survive", "[a]]((command:x)", "[a]] ((command:x)"],
		["characters that hide or reorder text", "a\u202Eb\u200Bc\u0000d", "a b c d"],
		["line breaks", " a\n\nb ", "a b"],
	])("makes %s harmless", (_, text, expected) => {
		expect(plainText(text)).toBe(expected);
	});
});
