import { describe, expect, it } from "vitest";
import { matchesGroup, matchesText } from "../../../../webview/runs/runFilter.ts";
import { runStates } from "../../../../webview/runs/runStates.ts";
import { anEndedRun, aRun } from "../aRun.ts";

describe("matchesText", () => {
	const run = anEndedRun({ title: "Fix Parser", agent: "Coder", state: "timeout", result: "No answer for 900 s" });

	it.each(["fix", "PARSER", "coder", "timed out", "900 s", "", "  parser  "])(
		"finds %j in title, agent, state or result",
		(text) => {
			expect(matchesText(run, text)).toBe(true);
		},
	);

	it.each(["lexer", "fix coder", ".*", "(a+)+$", "[", "\\"])("does not find %j: it is text, not a pattern", (text) => {
		expect(matchesText(run, text)).toBe(false);
	});

	it("finds a queued run by its place", () => {
		expect(matchesText(aRun({ state: "queued", queuePosition: 3 }), "queued #3")).toBe(true);
	});

	it("does not read five megabytes to the end", () => {
		const long = anEndedRun({ title: `start ${"x".repeat(5_000_000)} finish` });
		expect(matchesText(long, "start")).toBe(true);
		expect(matchesText(long, "finish")).toBe(false);
	});
});

describe("matchesGroup", () => {
	it("puts every state into exactly one of the three groups, and all into the first chip", () => {
		for (const state of Object.keys(runStates) as (keyof typeof runStates)[]) {
			const run = aRun({ state });
			const groups = (["active", "failed", "finished"] as const).filter((group) => matchesGroup(run, group));
			expect(groups).toHaveLength(1);
			expect(matchesGroup(run, "all")).toBe(true);
		}
	});
});
