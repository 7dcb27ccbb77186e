import { describe, expect, it } from "vitest";
import { Progress, type ProgressFacts } from "../../../../src/core/engine/progress.ts";
import { noUsage } from "../../../../src/core/runs/run.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { aCall } from "../../../fakes/scriptedModel.ts";

function aProgress() {
	const clock = new ManualClock();
	const told: (ProgressFacts & { readonly at: number })[] = [];
	const progress = new Progress(clock, (facts) => told.push({ ...facts, at: clock.now() }));
	const call = (toolName: string, turn = 1) => progress.note({ type: "tool-called", turn, call: aCall(toolName, {}) });
	return { clock, told, progress, call };
}

describe("how far a run is", () => {
	it("is told at once, then at most once a second, and then as it is by that time", () => {
		const { clock, told, progress, call } = aProgress();
		call("read_file");
		call("glob");
		clock.advance(400);
		call("grep");
		progress.note({ type: "text", turn: 1, delta: "x" });
		clock.advance(5_000);
		expect(told.map(({ tool, at }) => [tool, at])).toEqual([
			["read_file", 0],
			["grep", 1_000],
		]);
		const usage = { ...noUsage, inputTokens: 7 };
		progress.note({ type: "turn-ended", turn: 2, usage });
		expect(told.at(-1)).toEqual({ turn: 2, tool: null, usage, at: 5_400 });
	});

	it("is not told any more once the run has ended", () => {
		const { clock, told, progress, call } = aProgress();
		call("read_file");
		call("glob");
		progress.dispose();
		clock.advance(5_000);
		expect(told).toHaveLength(1);
	});
});
