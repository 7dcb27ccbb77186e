import type { Sql } from "../../../../src/core/store/sql.ts";

interface Row {
	readonly runId: string;
	readonly hostId: string;
	readonly type: string;
}

/**
 * Judges, from the history alone, every start of a lane that had this cap all the time: no run takes a slot that an
 * earlier run needs, and within a host runs start in the order in which they were accepted.
 */
export function findUnfairStarts(sql: Sql, cap: number): string[] {
	const rows = sql.all<Row>(
		`SELECT event.run_id AS runId, run.host_id AS hostId, event.type FROM event JOIN run ON run.id = event.run_id
			WHERE event.type IN ('subagent.queued', 'subagent.started', 'subagent.ended') ORDER BY event.seq`,
	);
	const waiting = new Map<string, Row>();
	let running = 0;
	return rows.flatMap((row) => {
		if (row.type === "subagent.queued") waiting.set(row.runId, row);
		else if (row.type === "subagent.ended") running -= Number(!waiting.delete(row.runId));
		else {
			const ids = [...waiting.keys()];
			const earlier = ids.slice(0, ids.indexOf(row.runId)).flatMap((id) => waiting.get(id) ?? []);
			waiting.delete(row.runId);
			running++;
			if (earlier.some(({ hostId }) => hostId === row.hostId)) return [`${row.runId} started before one of its host`];
			if (running + earlier.length > cap) return [`${row.runId} took the slot of ${earlier[0]?.runId ?? "nobody"}`];
		}
		return [];
	});
}

/** How often the run that was accepted next was another host's than the one before. */
export function countHandovers(sql: Sql): number {
	const hosts = sql.all<{ hostId: string }>("SELECT host_id AS hostId FROM run ORDER BY seq");
	return hosts.filter(({ hostId }, index) => index > 0 && hosts[index - 1]?.hostId !== hostId).length;
}
