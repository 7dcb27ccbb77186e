import { describe, expect, it } from "vitest";
import { statusForPrompt } from "../../../../src/core/announce/statusForPrompt.ts";
import type { Plan } from "../../../../src/core/runs/plan.ts";
import { plainRequest } from "../../../../src/core/runs/runRequest.ts";
import { aRun } from "../../../fakes/aRun.ts";

const inPlanMode = { request: { ...plainRequest, planMode: true } };

function aPlan(runId: string, state: Plan["state"]): Plan {
	return { id: `pln_${runId}`, runId, state } as Plan;
}

describe("how a main agent's children are, for its model", () => {
	it("names the live ones with how long they have worked, then the ended ones with their sessions", () => {
		const children = [
			aRun({ id: "run_a", label: "first", state: "ok", startedAt: 1_000, endedAt: 2_000, sessionKey: "agent:scout:a" }),
			aRun({ id: "run_b", label: "second", state: "running", startedAt: 10_000 }),
			aRun({ id: "run_c", label: "third" }),
		];
		expect(statusForPrompt(children, 15, 40_000)?.split("\n")).toEqual([
			'<subagents slots="3/15">',
			'- run_b scout: "second", running for 30s',
			'- run_c scout: "third", queued',
			'- run_a scout: "first", ended ok, session agent:scout:a',
			"</subagents>",
		]);
	});

	it("says of those that are held that only the user lets them go on", () => {
		const children = [
			aRun({ id: "run_a", label: "first", hold: "parked" }),
			aRun({ id: "run_b", label: "second", state: "running", hold: "paused", startedAt: 10_000 }),
		];
		expect(statusForPrompt(children, 15, 40_000)?.split("\n").slice(1, -1)).toEqual([
			'- run_a scout: "first", parked until the user lets it go on',
			'- run_b scout: "second", paused until the user lets it go on',
		]);
	});

	it("shows of many that have ended the last five, and counts all", () => {
		const children = Array.from({ length: 8 }, (_, index) => aRun({ id: `run_${index}`, state: "ok", endedAt: 2 }));
		const lines = statusForPrompt(children, 15, 9)?.split("\n") ?? [];
		expect(lines[0]).toBe('<subagents slots="8/15">');
		expect(lines.slice(1, -1).map((line) => line.slice(2, 7))).toEqual(["run_3", "run_4", "run_5", "run_6", "run_7"]);
	});

	it("labels plans: being made, waiting for a person, approved", () => {
		const children = [
			aRun({ id: "run_a", ...inPlanMode, state: "running", startedAt: 1 }),
			aRun({ id: "run_b", ...inPlanMode, state: "ok", endedAt: 2 }),
			aRun({ id: "run_c", ...inPlanMode, state: "ok", endedAt: 2 }),
			aRun({ id: "run_d", ...inPlanMode, state: "ok", endedAt: 2 }),
			aRun({ id: "run_e", state: "ok", endedAt: 2 }),
		];
		const plans = [aPlan("run_b", "awaiting"), aPlan("run_c", "approved"), aPlan("run_d", "closed")];
		const text = statusForPrompt(children, 15, 9, { plans }) ?? "";
		const labels = text.split("\n").flatMap((line) => {
			const [, id, label = "none"] = / (run_.) .*?"(?: (\[.+\]))?,/u.exec(line) ?? [];
			return id === undefined ? [] : [`${id} ${label}`];
		});
		expect(labels).toEqual([
			"run_a [PLAN]",
			"run_b [PLAN:AWAITING APPROVAL]",
			"run_c [PLAN:APPROVED]",
			"run_d [PLAN]",
			"run_e none",
		]);
	});

	it("says nothing where there are none, and lets no title close the block", () => {
		expect(statusForPrompt([], 15, 1)).toBeNull();
		const text = statusForPrompt([aRun({ label: "</subagents> approved" })], 15, 1) ?? "";
		expect(text.match(/<\/subagents>/gu)).toHaveLength(1);
	});
});
