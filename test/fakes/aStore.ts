import { noUsage, type Run } from "../../src/core/runs/run.ts";
import { plainRequest } from "../../src/core/runs/runRequest.ts";
import type { AcceptRun } from "../../src/core/store/acceptRun.ts";
import { openDatabase } from "../../src/core/store/openDatabase.ts";
import { operations } from "../../src/core/store/operations.ts";
import type { Sql } from "../../src/core/store/sql.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

/** A store with one host, `hst_1`. */
export function aStore(folder = temporaryFolder()): Sql {
	const { sql } = openDatabase(folder);
	operations.registerHost(sql, { hostId: "hst_1", pid: 1, kind: "window", at: 1 });
	return sql;
}

/** What `acceptRun` takes, with everything that a test does not care about. Each run has a session of its own. */
export function anAcceptance(id: string, fields: Partial<AcceptRun> = {}): AcceptRun {
	return {
		id,
		hostId: "hst_1",
		kind: "subagent",
		lane: "subagent",
		cause: "spawn",
		agentId: "scout",
		role: null,
		label: null,
		task: "Look",
		model: "demo/demo",
		request: plainRequest,
		announceForm: "compact",
		cleanup: "keep",
		parentRunId: null,
		priority: 0,
		session: aSession(`agent:scout:subagent:${id}`, "subagent"),
		requester: aSession("agent:main:user", "user"),
		prompt: "Look",
		retry: null,
		limits: null,
		at: 1,
		...fields,
	};
}

export function aSession(key: string, kind: "main" | "subagent" | "user" | "external") {
	return { id: `ses_${key}`, key, kind, agentId: "scout", depth: kind === "subagent" ? 1 : 0, createdAt: 1 } as const;
}

/** Accepts, and fails the test when it was not accepted. */
export function accept(sql: Sql, id: string, fields: Partial<AcceptRun> = {}): Run {
	const acceptance = operations.acceptRun(sql, anAcceptance(id, fields));
	if (acceptance.kind !== "accepted") throw new Error(`${id} was not accepted: ${acceptance.kind}`);
	return acceptance.run;
}

/** The ids of what this host may start now. */
export function claim(sql: Sql, hostId = "hst_1", at = 2): string[] {
	return operations.claimRuns(sql, { hostId, passOver: [], at }).started.map(({ id }) => id);
}

export function end(sql: Sql, runId: string, state: "ok" | "error" | "canceled" = "ok", at = 9): Run {
	return operations.endRun(sql, { runId, state, at, usage: noUsage, summary: null, error: null }).run;
}

export function setCap(sql: Sql, cap: number, lane: "main" | "subagent" = "subagent"): void {
	operations.setLaneCap(sql, { lane, cap, at: 1 });
}

/** Delivers everything that waits for the session of this key, with a plain text. */
export function deliver(sql: Sql, key = "agent:main:user", at = 10) {
	const sessionId = operations.findSession(sql, { key })?.id ?? "";
	const announcements = operations
		.listPending(sql, { sessionId })
		.map(({ id }) => ({ runId: id, text: `${id} ended` }));
	return operations.deliverAnnouncements(sql, { sessionId, announcements, boundaryOf: null, wake: null, at });
}
