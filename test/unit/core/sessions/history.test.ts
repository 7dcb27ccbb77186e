import { describe, expect, it } from "vitest";
import type { Entry } from "../../../../src/core/sessions/entry.ts";
import { compactionMark } from "../../../../src/core/sessions/compaction.ts";
import { nudgeMark, toMessages } from "../../../../src/core/sessions/history.ts";

function anEntry(fields: Partial<Entry>): Entry {
	const entry = { seq: 1, runId: "r1", turn: 1, kind: "text", toolName: null, toolCallId: null } as const;
	return { ...entry, text: "", isError: false, at: 1, ...fields };
}

const call = anEntry({ kind: "tool_call", toolName: "shell", toolCallId: "c1", text: "{}" });
const result = anEntry({ kind: "tool_result", toolName: "shell", toolCallId: "c1", text: "ok" });

describe("a session as the model reads it", () => {
	it("gives a call its one result, also where a person's answer is noted between them", () => {
		const allowed = anEntry({ kind: "notice", turn: 0, text: "shell may: you said so." });
		expect(toMessages([call, allowed, result]).map(({ role }) => role)).toEqual(["assistant", "tool"]);
	});

	it("says of a call that was cut off that nobody knows how far it came", () => {
		const messages = toMessages([call, anEntry({ kind: "user", text: "Go on" })]);
		expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
		expect(messages[1]).toMatchObject({ toolCallId: "c1", isError: true, text: expect.stringContaining("unknown") });
	});

	it("has our words to the model in it, and not those to people", () => {
		const notices = [null, nudgeMark, compactionMark].map((toolName) =>
			anEntry({ kind: "notice", toolName, text: toolName ?? "for people" }),
		);
		expect(toMessages(notices)).toEqual([
			{ role: "user", text: nudgeMark },
			{ role: "user", text: compactionMark },
		]);
	});

	it("leaves out an answer without a word, which was asked for again", () => {
		expect(toMessages([anEntry({ kind: "replay", text: '{"thinking":"…"}' })])).toEqual([]);
	});
});
