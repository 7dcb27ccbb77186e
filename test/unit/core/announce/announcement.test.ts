import { describe, expect, it } from "vitest";
import { composeAnnouncement, summarize } from "../../../../src/core/announce/announcement.ts";
import { noUsage } from "../../../../src/core/runs/run.ts";
import { aRun } from "../../../fakes/aRun.ts";

describe("summarize", () => {
	it("takes what follows the last SUMMARY:", () => {
		expect(summarize("SUMMARY: no\nmore\nSUMMARY:  yes,\n indeed ")).toBe("yes, indeed");
	});

	it("takes the end of an answer that has none", () => {
		expect(summarize(`${"a".repeat(300)} the end`)).toMatch(/^…a+ the end$/u);
		expect(summarize("short")).toBe("short");
	});

	it("cuts at 200 characters as people count them, never inside one", () => {
		const family = "👩‍👩‍👧‍👦";
		const summary = summarize(`SUMMARY: ${family.repeat(250)}`);
		expect(summary).toBe(`${family.repeat(199)}…`);
	});
});

describe("composeAnnouncement", () => {
	const result = {
		state: "ok",
		usage: { ...noUsage, inputTokens: 3000, outputTokens: 2000, usd: 0.02 },
		summary: "All good.",
		error: null,
		at: 31_000,
	} as const;

	it("says in five lines how the run ended and what it took", () => {
		expect(composeAnnouncement(aRun({ label: "check", startedAt: 1_000 }), result)).toBe(
			[
				'[Subagent] "check" completed successfully',
				"session: agent:scout:subagent:1",
				"",
				"Summary: All good.",
				"",
				"Stats: runtime 30s • tokens 5k (in 3k / out 2k) • $0.02",
			].join("\n"),
		);
	});

	it.each([
		["partial", "ended early (partial)"],
		["timeout", "timed out"],
		["error", "failed: no network"],
		["canceled", "was stopped"],
		["lost", "was lost"],
	] as const)("begins with what happened when it ended %s", (state, words) => {
		const text = composeAnnouncement(aRun({}), { ...result, state, summary: null, error: "no network" });
		expect(text.split("\n", 1)[0]).toBe(`[Subagent] "Look around" ${words}`);
		expect(text).toContain("Summary: (no output)");
	});

	it("does not pass an unknown price off as nothing", () => {
		expect(composeAnnouncement(aRun({}), { ...result, usage: { ...noUsage, usd: null } })).toContain("cost unknown");
	});
});
