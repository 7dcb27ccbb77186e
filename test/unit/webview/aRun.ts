import type { HostToPanel, RunRow } from "../../../src/protocol/panel.ts";

/** A run two minutes into its work, in whatever respect it is not told to differ. */
export function aRun(differences: Partial<RunRow> = {}): RunRow {
	return {
		runId: "run_00000001",
		title: "Find flaky tests",
		agent: "scout",
		model: "model-x",
		lane: "subagent",
		state: "running",
		queuePosition: null,
		queuedAt: 1_000_000,
		startedAt: 1_000_000,
		endedAt: null,
		activity: "read_file src/cart.ts",
		inputTokens: 38_100,
		outputTokens: 3102,
		usd: 0.38,
		isEstimate: false,
		budget: null,
		result: null,
		folder: null,
		...differences,
	};
}

export function anEndedRun(differences: Partial<RunRow> = {}): RunRow {
	return aRun({
		state: "ok",
		endedAt: 1_120_000,
		activity: null,
		result: "Three tests depend on the clock.",
		...differences,
	});
}

export function runId(number: number): string {
	return `run_${String(number).padStart(8, "0")}`;
}

export function aSnapshot(
	runs: readonly RunRow[],
	differences: Partial<Extract<HostToPanel, { type: "snapshot" }>> = {},
): HostToPanel {
	return { type: "snapshot", revision: 1, runs, notice: null, now: 1_120_000, ...differences };
}

export function aPatch(revision: number, upsert: readonly RunRow[], remove: readonly string[] = []): HostToPanel {
	return { type: "runs", revision, upsert, remove };
}
