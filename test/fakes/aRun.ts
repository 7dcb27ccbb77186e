import { noWork } from "../../src/core/runs/budget.ts";
import { noUsage, type Run } from "../../src/core/runs/run.ts";
import { plainRequest } from "../../src/core/runs/runRequest.ts";

/** A queued run with everything in it that a test does not care about. */
export function aRun(fields: Partial<Run>): Run {
	return {
		id: "run_00000001",
		sessionId: "ses_1",
		sessionKey: "agent:scout:subagent:1",
		requesterSessionId: "ses_0",
		parentRunId: null,
		hostId: "hst_1",
		kind: "subagent",
		lane: "subagent",
		cause: "spawn",
		agentId: "scout",
		role: null,
		label: null,
		task: "Look around\nand report.",
		model: "demo/demo",
		request: plainRequest,
		announceForm: "compact",
		cleanup: "keep",
		state: "queued",
		hold: null,
		priority: 0,
		place: 1,
		wantsSince: null,
		stopRequestedAt: null,
		queuedAt: 1,
		startedAt: null,
		endedAt: null,
		usage: noUsage,
		work: noWork,
		summary: null,
		error: null,
		undelivered: null,
		archivedAt: null,
		revision: 0,
		...fields,
	};
}
