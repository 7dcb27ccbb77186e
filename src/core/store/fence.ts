import { ProblemError, type Problem } from "../base/errors.ts";
import type { Sql } from "./sql.ts";

export const fencedProblem: Problem = {
	code: "store.fenced",
	message:
		"Another process found this one unresponsive and has taken its runs over. Try again; if that does not help, reload the window.",
};

/** Whether a host may write nothing any more: it has ended, or others have taken it for dead. */
export function isFenced(sql: Sql, hostId: string): boolean {
	const row = sql.get<{ fencedAt: number | null }>("SELECT fenced_at AS fencedAt FROM host WHERE id = :hostId", {
		hostId,
	});
	return row !== undefined && row.fencedAt !== null;
}

/** A host that has just become another one may still be asked to take runs as the old one: nobody would ever start them. */
export function refuseFenced(sql: Sql, hostId: string): void {
	if (isFenced(sql, hostId)) throw new ProblemError(fencedProblem);
}
