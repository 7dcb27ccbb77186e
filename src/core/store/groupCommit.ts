import { BugError, type Problem } from "../base/errors.ts";
import { isFenced } from "./hosts.ts";
import { explainReadOnly, type ReadOnlyReason } from "./readOnly.ts";
import { migrations } from "./schema.ts";
import { isRead, operations } from "./operations.ts";
import type { Sql } from "./sql.ts";
import { isBusy, storeProblem } from "./sqliteErrors.ts";
import type { Answer, ToWorker } from "./workerProtocol.ts";

type Call = ToWorker & { readonly kind: "call" };

export interface GroupCommitOptions {
	readonly folder: string;
	readonly readOnly: ReadOnlyReason | null;
	/** Null for a reader, which nobody can fence. */
	readonly hostId: string | null;
	answer(answers: readonly Answer[]): void;
	/** Hears of each commit of a write, right before and right after it. */
	onCommit?(moment: "before" | "after"): void;
}

/** How long a writer waits for others before it gives up. */
const patienceMs = 10_000;

/**
 * Commits calls in groups: whatever arrives while one group is being committed becomes the next, one transaction and one
 * sync for all of it. Each call has a savepoint of its own, so one that fails takes nothing else with it. Answers are
 * given after the commit, so nobody is told what is not on disk.
 *
 * Every write first reads, under the lock, whether this host has been fenced and whether a newer Muster has taken the
 * database over: then the whole group is refused.
 */
export class GroupCommit {
	readonly #sql: Sql;
	readonly #options: GroupCommitOptions;
	#waiting: Call[] = [];

	constructor(sql: Sql, options: GroupCommitOptions) {
		this.#sql = sql;
		this.#options = options;
	}

	add(call: Call): void {
		if (this.#waiting.length === 0) setImmediate(() => this.flush());
		this.#waiting.push(call);
	}

	/** Commits what waits, now. */
	flush(): void {
		const calls = this.#waiting;
		if (calls.length === 0) return;
		this.#waiting = [];
		const refuse = (problem: Problem) => this.#options.answer(calls.map(({ id }) => ({ id, ok: false, problem })));
		const isWrite = this.#options.readOnly === null && calls.some(({ name }) => !isRead(name));
		try {
			if (isWrite) beginWrite(this.#sql);
			else this.#sql.exec("BEGIN");
			const refusal = isWrite ? this.#findRefusal() : undefined;
			if (refusal) {
				this.#sql.exec("ROLLBACK");
				return refuse(refusal);
			}
			const answers = calls.map((call) => this.#run(call));
			if (isWrite) this.#options.onCommit?.("before");
			this.#sql.exec("COMMIT");
			if (isWrite) this.#options.onCommit?.("after");
			this.#options.answer(answers);
		} catch (error) {
			this.#rollBack();
			refuse(storeProblem(this.#options.folder, error));
		}
	}

	#findRefusal(): Problem | undefined {
		const { hostId } = this.#options;
		if (hostId !== null && isFenced(this.#sql, hostId)) {
			const message =
				"Another process found this one unresponsive and has taken its runs over. Reload the window to go on.";
			return { code: "store.fenced", message };
		}
		if (this.#sql.version > migrations.length) {
			const message =
				"A newer version of Muster has taken this workspace's runs over. Reload the window, and update Muster.";
			return { code: "store.newer", message };
		}
		return undefined;
	}

	#run({ id, name, input }: Call): Answer {
		const { readOnly } = this.#options;
		if (readOnly !== null && !isRead(name)) {
			return { id, ok: false, problem: { code: "store.readOnly", message: explainReadOnly(readOnly) } };
		}
		this.#sql.exec("SAVEPOINT call");
		try {
			const value = findOperation(name)(this.#sql, input as never);
			this.#sql.exec("RELEASE call");
			return { id, ok: true, value };
		} catch (error) {
			this.#sql.exec("ROLLBACK TO call; RELEASE call");
			return { id, ok: false, problem: storeProblem(this.#options.folder, error) };
		}
	}

	/** SQLite rolls back by itself after some errors; then there is nothing left to roll back. */
	#rollBack(): void {
		if (this.#sql.isInTransaction) this.#sql.exec("ROLLBACK");
	}
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Waits its turn by itself: SQLite's own waiting sleeps ever longer, and starves a light writer beside busy ones.
 * IMMEDIATE, because a writer that begins as a reader can be refused at its first write.
 */
export function beginWrite(sql: Sql): void {
	const giveUpAt = performance.now() + patienceMs;
	for (;;) {
		try {
			sql.exec("BEGIN IMMEDIATE");
			return;
		} catch (error) {
			if (!isBusy(error) || performance.now() > giveUpAt) throw error;
			Atomics.wait(sleeper, 0, 0, 0.2 + Math.random());
		}
	}
}

function findOperation(name: string): (sql: Sql, input: never) => unknown {
	const table: Readonly<Record<string, (sql: Sql, input: never) => unknown>> = operations;
	const operation = table[name];
	if (!operation) throw new BugError(`The store has no operation named ${name}`);
	return operation;
}
