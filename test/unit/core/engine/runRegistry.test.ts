import { describe, expect, it } from "vitest";
import { RunRegistry } from "../../../../src/core/engine/runRegistry.ts";
import { noUsage } from "../../../../src/core/runs/run.ts";
import { aRun } from "../../../fakes/aRun.ts";

function aRegistry() {
	const errors: unknown[] = [];
	const registry = new RunRegistry((error) => errors.push(error));
	const changes: string[][] = [];
	registry.onDidChange((ids) => changes.push([...ids]));
	return { registry, changes, errors };
}

describe("RunRegistry", () => {
	it("lists the newest first and gives queued runs their place", () => {
		const { registry } = aRegistry();
		registry.put([
			aRun({ id: "run_a", queuedAt: 1, state: "running", startedAt: 2 }),
			aRun({ id: "run_b", queuedAt: 2 }),
			aRun({ id: "run_c", queuedAt: 3 }),
			aRun({ id: "run_d", queuedAt: 4, hold: "parked" }),
		]);
		const places = registry.list().map(({ id, queuePosition }) => [id, queuePosition]);
		expect(places).toEqual([
			["run_d", null],
			["run_c", 2],
			["run_b", 1],
			["run_a", null],
		]);
	});

	it("is not set back by an answer of the store that was overtaken on its way", () => {
		const { registry } = aRegistry();
		registry.put([aRun({ id: "run_a", state: "running", startedAt: 2, revision: 2 })]);
		registry.put([aRun({ id: "run_a", revision: 1 })]);
		expect(registry.get("run_a")).toMatchObject({ state: "running" });
		registry.replace({ runs: [], revision: 1 });
		expect(registry.list()).toHaveLength(1);
		registry.replace({ runs: [], revision: 2 });
		expect(registry.list()).toEqual([]);
	});

	it("shows what a run is doing until it has ended", () => {
		const { registry } = aRegistry();
		registry.put([aRun({ id: "run_a", state: "running", startedAt: 2 })]);
		registry.note("run_a", { activity: "grep rate", usage: { ...noUsage, inputTokens: 7 } });
		expect(registry.get("run_a")).toMatchObject({ activity: "grep rate", usage: { inputTokens: 7 } });
		registry.put([aRun({ id: "run_a", state: "ok", startedAt: 2, endedAt: 3, usage: { ...noUsage, inputTokens: 9 } })]);
		expect(registry.get("run_a")).toMatchObject({ activity: null, usage: { inputTokens: 9 } });
	});

	it("tells nobody about a note that says nothing new, however often a model speaks", () => {
		const { registry, changes } = aRegistry();
		registry.put([aRun({ id: "run_a" })]);
		registry.note("run_a", { activity: null });
		registry.note("run_a", { activity: "grep rate" });
		registry.note("run_a", { activity: "grep rate" });
		registry.note("run_a", { activity: null });
		registry.note("run_a", { activity: null });
		expect(changes).toHaveLength(3);
	});

	it("goes on telling the others when a listener throws, and reports it", () => {
		const { registry, errors } = aRegistry();
		const heard: string[] = [];
		registry.onDidChange(() => {
			throw new Error("not today");
		});
		registry.onDidChange((ids) => heard.push(...ids));
		registry.put([aRun({ id: "run_a" })]);
		expect(heard).toEqual(["run_a"]);
		expect(errors).toEqual([new Error("not today")]);
	});
});
