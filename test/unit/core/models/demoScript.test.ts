import { describe, expect, it } from "vitest";
import { findScriptedTurn, parseDemoScript } from "../../../../src/core/models/demoScript.ts";
import type { ModelMessage } from "../../../../src/core/models/modelPort.ts";

const { script = { scripts: [] } } = parseDemoScript(
	JSON.stringify({
		scripts: [
			{ when: "alpha", turns: [{ text: "A1", calls: [{ tool: "grep", input: {} }] }, { text: "" }, { text: "A3" }] },
			{ when: "al", turns: [{ text: "never for alpha" }] },
			{ when: "beta", turns: [{ text: "B1" }] },
		],
	}),
);
const asked = (text: string): ModelMessage => ({ role: "user", text });
const called: ModelMessage = {
	role: "assistant",
	text: "A1",
	toolCalls: [{ toolCallId: "1", toolName: "grep", input: {} }],
};
const answered: ModelMessage = { role: "assistant", text: "Done", toolCalls: [] };
const textFor = (...messages: readonly ModelMessage[]) => findScriptedTurn(script, messages)?.text;

describe("findScriptedTurn", () => {
	it("answers the n-th request of a task with the n-th turn", () => {
		expect(textFor(asked("do alpha"))).toBe("A1");
		expect(textFor(asked("do alpha"), called, answered)).toBe("A3");
	});

	it("takes the first script that matches", () => {
		expect(textFor(asked("alpha"))).toBe("A1");
		expect(textFor(asked("also"))).toBe("never for alpha");
	});

	it("goes on with its task when something else is said meanwhile", () => {
		expect(textFor(asked("alpha"), called, asked("Please hurry."))).toBe("");
	});

	it("gives way to a script for what was said last", () => {
		expect(textFor(asked("alpha"), called, asked("now beta"))).toBe("B1");
	});

	it("ends with silence, and has no say in the next task", () => {
		expect(textFor(asked("beta"), called)).toBe("");
		expect(textFor(asked("beta"), answered, asked("something new"))).toBeUndefined();
	});
});

describe("parseDemoScript", () => {
	it("fills in an empty text and an empty input", () => {
		const parsed = parseDemoScript('{ "scripts": [{ "when": "x", "turns": [{ "calls": [{ "tool": "grep" }] }] }] }');
		expect(parsed.script?.scripts[0]?.turns).toEqual([{ text: "", calls: [{ tool: "grep", input: {} }] }]);
	});

	it("says that a text is not JSON", () => {
		const { script: none, problems } = parseDemoScript("{ nonsense");
		expect(none).toBeUndefined();
		expect(problems).toMatchObject([{ code: "demoScript.syntax", message: expect.stringContaining("not JSON") }]);
	});

	it("names the place of each mistake", () => {
		const turns = [{ text: "a" }, { text: 3, calls: [{ tool: "" }], hang: true }];
		const { script: none, problems } = parseDemoScript(JSON.stringify({ scripts: [{ when: "x", turns }] }));
		expect(none).toBeUndefined();
		const messages = problems.map(({ message }) => message).join("\n");
		expect(messages).toContain("$.scripts[0].turns[1].text");
		expect(messages).toContain("$.scripts[0].turns[1].calls[0].tool");
		expect(messages).toContain('"hang"');
	});
});
