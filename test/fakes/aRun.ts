import { noUsage, type Run } from "../../src/core/runs/run.ts";

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
		agentId: "scout",
		label: null,
		task: "Look around\nand report.",
		context: null,
		model: "demo/demo",
		state: "queued",
		hold: null,
		queuedAt: 1,
		startedAt: null,
		endedAt: null,
		usage: noUsage,
		summary: null,
		error: null,
		...fields,
	};
}
