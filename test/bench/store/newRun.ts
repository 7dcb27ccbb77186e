import { plainRequest } from "../../../src/core/runs/runRequest.ts";
import { noUsage } from "../../../src/core/runs/run.ts";
import type { AcceptRun } from "../../../src/core/store/acceptRun.ts";
import type { EndRun } from "../../../src/core/store/advanceRun.ts";

/** What people write: 300 characters. */
export const task = "Review the parser, list the risky branches, and propose a test for each. ".repeat(5).slice(0, 300);

/** A person's spawn of a subagent with a session of its own, as `spawnRun` asks the store for it. */
export function newRun(id: string, hostId: string, at: number): AcceptRun {
	const key = `agent:scout:subagent:${id}`;
	const user = "agent:main:user";
	return {
		id,
		hostId,
		kind: "subagent",
		lane: "subagent",
		cause: "spawn",
		agentId: "scout",
		role: null,
		label: null,
		task,
		model: "demo/demo",
		request: plainRequest,
		announceForm: "compact",
		cleanup: "keep",
		parentRunId: null,
		priority: 0,
		session: { id: `ses_${id}`, key, kind: "subagent", agentId: "scout", depth: 1, createdAt: at },
		requester: { id: "ses_user", key: user, kind: "user", agentId: "scout", depth: 0, createdAt: at },
		prompt: task,
		retry: null,
		limits: null,
		at,
	};
}

export function anEnd(runId: string, at: number): EndRun {
	return { runId, state: "ok", at, usage: noUsage, summary: "It looks sound.", error: null };
}
