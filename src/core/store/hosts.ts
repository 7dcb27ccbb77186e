import type { Sql } from "./sql.ts";

export interface NewHost {
	readonly hostId: string;
	readonly pid: number;
	readonly kind: "window" | "cli";
	readonly at: number;
}

export function registerHost(sql: Sql, input: NewHost): void {
	const { hostId, pid, kind, at } = input;
	sql.run("INSERT INTO host (id, pid, kind, started_at) VALUES (:hostId, :pid, :kind, :at)", { hostId, pid, kind, at });
}

export function endHost(sql: Sql, input: { readonly hostId: string; readonly at: number }): void {
	sql.run("UPDATE host SET ended_at = :at WHERE id = :hostId AND ended_at IS NULL", {
		hostId: input.hostId,
		at: input.at,
	});
}
