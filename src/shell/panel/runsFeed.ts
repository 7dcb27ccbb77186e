import type { HostToPanel, RunRow } from "../../protocol/panel.ts";

/**
 * What one panel has been sent, and so what it needs next: a whole snapshot when it (re)connects, afterwards only the rows
 * that differ. Knows nothing of webviews or timers.
 */
export class RunsFeed {
	#sent = new Map<string, string>();
	#revision = 0;

	snapshot(rows: readonly RunRow[], notice: string | null, now: number): HostToPanel {
		this.#sent = new Map(rows.map((row) => [row.runId, JSON.stringify(row)]));
		return { type: "snapshot", revision: ++this.#revision, runs: rows, notice, now };
	}

	/** Undefined when nothing has changed since the last message. */
	patch(rows: readonly RunRow[]): HostToPanel | undefined {
		const next = new Map(rows.map((row) => [row.runId, JSON.stringify(row)]));
		const upsert = rows.filter((row) => this.#sent.get(row.runId) !== next.get(row.runId));
		const remove = [...this.#sent.keys()].filter((runId) => !next.has(runId));
		this.#sent = next;
		if (upsert.length === 0 && remove.length === 0) return undefined;
		return { type: "runs", revision: ++this.#revision, upsert, remove };
	}
}
