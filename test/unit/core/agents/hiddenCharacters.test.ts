import { describe, expect, it } from "vitest";
import { findHiddenCharacters } from "../../../../src/core/agents/hiddenCharacters.ts";

describe("findHiddenCharacters", () => {
	it.each([
		["a tag", "a\u{E0041}b", "U+E0041"],
		["a flag without an end", "\u{1F3F4}\u{E0067}\u{E0062}", "U+E0067"],
		["a change of direction", "a\u202Eb", "U+202E"],
		["an isolate", "a\u2066b", "U+2066"],
		["a blank without width", "a\u200Bb", "U+200B"],
		["a word joiner", "a\u2060b", "U+2060"],
		["a direction mark", "a\u200Fb", "U+200F"],
		["a byte-order mark in the middle", "a\uFEFFb", "U+FEFF"],
		["two variation selectors", "a\uFE0F\uFE0E", "U+FE0F"],
		["an escape", "a\u001B[8mb", "U+001B"],
		["a joiner between Latin letters", "pass\u200Dword", "U+200D"],
	])("finds %s", (_what, text, codePoint) => {
		const problem = findHiddenCharacters(text);
		expect(problem).toMatchObject({ severity: "error", code: "agent.hiddenCharacters", line: 1 });
		expect(problem?.message).toContain(codePoint);
	});

	it.each(["plain\ttext\r\n", "❤️ ✔️", "👨‍👩‍👧 👩🏽‍💻 🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "क्‍ष", "שלום עולם", "日本語"])(
		"leaves %s alone (A29)",
		(text) => {
			expect(findHiddenCharacters(text)).toBeUndefined();
		},
	);

	it("takes little time for a text full of them", () => {
		expect(findHiddenCharacters("a\u200B\n".repeat(80_000))?.fixes?.[0]?.edits).toHaveLength(80_000);
	});
});
