import { describe, expect, it, vi } from "vitest";
import { plainRequest } from "../../../src/core/runs/runRequest.ts";
import { createRunItem } from "../../../src/shell/tree/runItem.ts";
import { aRun } from "../../fakes/aRun.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));

const facts = { modelLabel: "Demo", now: 9, waitReason: undefined, isUnanswered: false };

describe("a row of the Subagents view", () => {
	it("says what is used of its budget", () => {
		const request = { ...plainRequest, budget: { tokens: 5_000, usd: 0.5, turns: 10 } };
		const usage = { ...aRun({}).usage, inputTokens: 1_000, outputTokens: 200, usd: 0.125 };
		const run = aRun({ request, usage, work: { turns: 3, toolCalls: 0, spawns: 0 } });
		const item = createRunItem({ ...run, activity: null, queuePosition: null }, facts);
		const used = "budget: 1,200 of 5,000 tokens, $0.125 of $0.50, 3 of 10 turns";
		expect(item.tooltip).toContain(used);
		expect(item.accessibilityInformation?.label).toContain(used);
	});

	it("counts down to the next try of a model that failed", () => {
		const nextTry = { at: 60_000, reason: "overloaded" };
		const run = {
			...aRun({}),
			state: "running" as const,
			activity: "asks again at noon",
			nextTry,
			queuePosition: null,
		};
		const shown = (now: number) => createRunItem(run, { ...facts, now }).description;
		expect(shown(48_000)).toContain("asks again in 12 s: overloaded");
		expect(shown(48_500)).toContain("asks again in 12 s: overloaded");
		expect(shown(49_000)).toContain("asks again in 11 s: overloaded");
		expect(shown(60_000)).toContain("asks again: overloaded");
		expect(createRunItem({ ...run, nextTry: null }, facts).description).toContain("asks again at noon");
	});
});
