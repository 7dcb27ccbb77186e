import { describe, expect, it } from "vitest";
import {
	costDetail,
	costText,
	elapsedText,
	lastText,
	stateText,
	tokensText,
	totalText,
} from "../../../../webview/runs/runText.ts";
import { anEndedRun, aRun, runId } from "../aRun.ts";

describe("elapsedText", () => {
	it.each([
		[0, "0:00"],
		[59_999, "0:59"],
		[61_000, "1:01"],
		[3_599_000, "59:59"],
		[3_661_000, "1:01:01"],
		[-5000, "0:00"],
	])("shows %i ms as %s", (milliseconds, text) => {
		expect(elapsedText(aRun({ startedAt: 1000 }), 1000 + milliseconds)).toBe(text);
	});

	it("counts from queueing while there is no slot", () => {
		expect(elapsedText(aRun({ state: "queued", queuedAt: 0, startedAt: null }), 30_000)).toBe("0:30");
	});

	it("stands still once the run has ended, and is a dash when it never started", () => {
		expect(elapsedText(anEndedRun({ startedAt: 0, endedAt: 5000 }), 999_999)).toBe("0:05");
		expect(elapsedText(anEndedRun({ state: "canceled", startedAt: null, endedAt: 5000 }), 999_999)).toBe("–");
	});
});

describe("costText", () => {
	it.each([
		[null, false, "–"],
		[0, false, "$0.00"],
		[0.004, false, "<$0.01"],
		[0.38, false, "$0.38"],
		[12.345, true, "~$12.35"],
	])("shows %s (estimate: %s) as %s", (usd, isEstimate, text) => {
		expect(costText(usd, isEstimate)).toBe(text);
	});
});

describe("tokensText", () => {
	it.each([
		[0, "0"],
		[950, "950"],
		[41_202, "41.2k"],
		[1_300_000, "1.3M"],
	])("shows %i as %s", (inputTokens, text) => {
		expect(tokensText(aRun({ inputTokens, outputTokens: 0 }))).toBe(text);
	});
});

describe("stateText and lastText", () => {
	it("say the place in the queue, and which lane is full", () => {
		const run = aRun({ state: "queued", queuePosition: 2, activity: null });
		expect(stateText(run)).toBe("queued #2");
		expect(lastText(run)).toBe("waits for a place in lane subagent");
	});

	it("say what a live run does and how an ended one ended", () => {
		expect(lastText(aRun({ activity: "exec npm test" }))).toBe("exec npm test");
		expect(lastText(anEndedRun({ result: "Done" }))).toBe("Done");
		expect(lastText(aRun({ state: "waiting_children", activity: null }))).toBe("");
	});
});

describe("costDetail", () => {
	it("says what is used of a budget", () => {
		expect(costDetail(aRun({ budget: "3 of 10 turns" }))).toMatch(/^Budget: 3 of 10 turns\n/u);
		expect(costDetail(aRun({ budget: null }))).not.toContain("Budget");
	});
});

describe("totalText", () => {
	const runs = [aRun({ usd: 1 }), aRun({ runId: runId(2), usd: 0.5 }), aRun({ runId: runId(3), usd: null })];

	it("adds known costs and counts the unknown ones", () => {
		expect(totalText(runs, 3)).toBe("3 runs · $1.50 · 1 of unknown cost");
		expect(totalText(runs.slice(0, 2), 1000)).toBe("2 of 1,000 runs · $1.50");
	});

	it("says nothing about cost when none is known", () => {
		expect(totalText(runs.slice(2), 3)).toBe("1 of 3 runs");
		expect(totalText([], 12)).toBe("0 of 12 runs");
	});

	it("marks a sum as estimated when a part of it is", () => {
		expect(totalText([aRun({ usd: 1, isEstimate: true })], 1)).toBe("1 run · ~$1.00");
	});
});
