import { describe, expect, it } from "vitest";
import { compareRuns } from "../../../../webview/runs/compareRuns.ts";
import { anEndedRun, aRun, runId } from "../aRun.ts";

describe("compareRuns", () => {
	it("puts who waits for the user first, then what runs, waits or is queued, then the newest ended", () => {
		const inOrder = [
			aRun({ runId: runId(9), state: "waiting_approval" }),
			aRun({ runId: runId(8), state: "running" }),
			aRun({ runId: runId(7), state: "waiting_children" }),
			aRun({ runId: runId(6), state: "queued", queuePosition: 1 }),
			anEndedRun({ runId: runId(5), endedAt: 300, state: "error" }),
			anEndedRun({ runId: runId(4), endedAt: 200 }),
			anEndedRun({ runId: runId(3), endedAt: 100, state: "lost" }),
		];
		expect(inOrder.toReversed().toSorted(compareRuns)).toEqual(inOrder);
	});

	it("keeps live runs in the order they started, so that a new one pushes none", () => {
		const inOrder = [aRun({ runId: runId(2), startedAt: 1 }), aRun({ runId: runId(1), startedAt: 2 })];
		expect(inOrder.toReversed().toSorted(compareRuns)).toEqual(inOrder);
	});

	it("lists queued runs by their place in the queue, not by when they came", () => {
		const inOrder = [
			aRun({ runId: runId(1), state: "queued", queuePosition: 1, queuedAt: 500, startedAt: null }),
			aRun({ runId: runId(2), state: "queued", queuePosition: 2, queuedAt: 100, startedAt: null }),
		];
		expect(inOrder.toReversed().toSorted(compareRuns)).toEqual(inOrder);
	});

	it("decides equal times by id, so that rows never swap by themselves", () => {
		const inOrder = [anEndedRun({ runId: runId(1) }), anEndedRun({ runId: runId(2) })];
		expect(inOrder.toReversed().toSorted(compareRuns)).toEqual(inOrder);
	});
});
