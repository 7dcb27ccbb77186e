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
	const usage = { ...noUsage, inputTokens: 3_000, outputTokens: 2_000, usd: 0.02 };
	const ended = aRun({ state: "ok", startedAt: 1_000, endedAt: 31_000, usage, summary: "All good." });

	it("says in five lines how the run ended and what it took", () => {
		expect(composeAnnouncement({ ...ended, label: "check" })).toBe(
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
		const text = composeAnnouncement({ ...ended, state, summary: null, error: "no network" });
		expect(text.split("\n", 1)[0]).toBe(`[Subagent] "Look around" ${words}`);
		expect(text).toContain("Summary: (no output)");
	});

	it("does not pass an unknown price off as nothing", () => {
		expect(composeAnnouncement({ ...ended, usage: { ...noUsage, usd: null } })).toContain("cost unknown");
	});

	it("brings the whole answer where the agent announces in full", () => {
		const text = composeAnnouncement(ended, "Line one.\n\nLine two.");
		expect(text).toContain("\n\nAnswer:\nLine one.\n\nLine two.\n\nStats:");
		expect(text).not.toContain("Summary:");
	});
});
