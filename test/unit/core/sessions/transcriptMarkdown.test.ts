import { describe, expect, it } from "vitest";
import type { Entry } from "../../../../src/core/sessions/entry.ts";
import { renderTranscript } from "../../../../src/core/sessions/transcriptMarkdown.ts";
import { aRun } from "../../../fakes/aRun.ts";

function anEntry(fields: Partial<Entry>): Entry {
	return {
		seq: 1,
		runId: "run_00000001",
		turn: 1,
		kind: "text",
		toolName: null,
		toolCallId: null,
		text: "",
		isError: false,
		at: 1,
		...fields,
	};
}

describe("renderTranscript", () => {
	it("joins the pieces of a streamed answer and keeps turns apart", () => {
		const text = renderTranscript(aRun({}), [
			anEntry({ text: "One " }),
			anEntry({ text: "answer." }),
			anEntry({ text: "Another.", turn: 2 }),
		]);
		expect(text).toContain("## Agent\n\nOne answer.\n\n## Agent\n\nAnother.");
	});

	it("says that the demo model is one", () => {
		expect(renderTranscript(aRun({ model: "demo/demo" }), [])).toContain("Demo: follows rules, does not think");
	});

	it("keeps a tool's output inside its code block, whatever is in it", () => {
		const text = renderTranscript(aRun({}), [
			anEntry({ kind: "tool_result", toolName: "read_file", text: "a\n```\n# not a heading\n````" }),
		]);
		expect(text).toContain("`````text\na\n```\n# not a heading\n````\n`````");
	});

	it("loads no image and renders no HTML of what a model said", () => {
		const text = renderTranscript(aRun({}), [
			anEntry({ text: "![x](https://evil.example/?q=1) <img src=x onerror=y> 1 < 2" }),
		]);
		expect(text).not.toMatch(/!\[|(?<!\\)<img/u);
		expect(text).toContain("1 < 2");
	});

	it("marks a refused call and quotes our own notices", () => {
		const text = renderTranscript(aRun({ error: "no network" }), [
			anEntry({ kind: "tool_result", toolName: "grep", text: "no", isError: true }),
			anEntry({ kind: "notice", text: "no network" }),
		]);
		expect(text).toContain("### ← grep (refused or failed)");
		expect(text).toContain("> no network");
	});
});
