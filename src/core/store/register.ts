import { ProblemError } from "../base/errors.ts";
import { beginWrite, type GroupCommit } from "./groupCommit.ts";
import { holdHostLock, type Lock } from "./hostLock.ts";
import { registerHost, type NewHost } from "./hosts.ts";
import { explainReadOnly } from "./readOnly.ts";
import { migrations } from "./schema.ts";
import type { Sql } from "./sql.ts";
import { storeProblem } from "./sqliteErrors.ts";
import type { Answer } from "./workerProtocol.ts";

/** Its lock must be held already: who sees the row of a host must find it alive. */
export function register(sql: Sql, host: NewHost): void {
	beginWrite(sql);
	try {
		if (sql.version > migrations.length) {
			throw new ProblemError({ code: "store.newer", message: explainReadOnly({ kind: "newer" }) });
		}
		registerHost(sql, host);
		sql.exec("COMMIT");
	} catch (error) {
		if (sql.isInTransaction) sql.exec("ROLLBACK");
		throw error;
	}
}

export interface OldRegistration {
	readonly sql: Sql;
	readonly folder: string;
	readonly lock: Lock | null;
	readonly commits: Pick<GroupCommit, "actAs">;
}

/** A host that others took for dead becomes another one. The lock of the old one, which nobody asks about any more, is let go. */
export function registerAnew(
	{ id, host }: { readonly id: number; readonly host: NewHost },
	{ sql, folder, lock, commits }: OldRegistration,
): { readonly answer: Answer; readonly lock: Lock | null } {
	let own: Lock | null = null;
	try {
		own = holdHostLock(folder, host);
		register(sql, host);
	} catch (error) {
		own?.release();
		const problem = error instanceof ProblemError ? error.problem : storeProblem(folder, error);
		return { answer: { id, ok: false, problem }, lock };
	}
	commits.actAs(host.hostId);
	lock?.release();
	return { answer: { id, ok: true, value: null }, lock: own };
}
