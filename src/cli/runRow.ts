import type { Run } from "../core/runs/run.ts";

const rowFields = [
	"sessionId",
	"sessionKey",
	"state",
	"agentId",
	"label",
	"task",
	"lane",
	"model",
	"parentRunId",
	"requesterSessionId",
	"queuedAt",
	"startedAt",
	"endedAt",
	"usage",
	"undelivered",
] as const satisfies readonly (keyof Run)[];

/** A run as `--json` gives it. */
export function toRow(run: Run): Readonly<Record<string, unknown>> {
	return { runId: run.id, ...Object.fromEntries(rowFields.map((field) => [field, run[field]])) };
}
