import { BugError, ProblemError, type Problem } from "../base/errors.ts";
import { fencedProblem, isFenced } from "./fence.ts";
import { explainReadOnly, type ReadOnlyReason } from "./readOnly.ts";
import { migrations } from "./schema.ts";
import { isRead, operations } from "./operations.ts";
import type { Sql } from "./sql.ts";
import { storeProblem } from "./sqliteErrors.ts";
import { takeTurn } from "./takeTurn.ts";
import type { Answer, Dispossession, ToWorker } from "./workerProtocol.ts";

type Call = ToWorker & { readonly kind: "call" };

export interface GroupCommitOptions {
	readonly folder: string;
	readonly readOnly: ReadOnlyReason | null;
	/** Null for a reader, which nobody can fence. */
	readonly hostId: string | null;
	answer(answers: readonly Answer[]): void;
	/** Hears, once for each host, that it must not write any more. */
	onDispossessed?(why: Dispossession): void;
	/** Hears of each commit of a write, right before and right after it. */
	onCommit?(moment: "before" | "after", names: readonly string[]): void;
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
	#hostId: string | null;
	#readOnly: ReadOnlyReason | null;
	#isDispossessed = false;

	constructor(sql: Sql, options: GroupCommitOptions) {
		this.#sql = sql;
		this.#options = options;
		this.#hostId = options.hostId;
		this.#readOnly = options.readOnly;
	}

	/** What is called from here on is this host's doing. */
	actAs(hostId: string): void {
		this.#hostId = hostId;
		this.#isDispossessed = false;
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
		const isWrite = this.#readOnly === null && calls.some(({ name }) => !isRead(name));
		try {
			if (isWrite) beginWrite(this.#sql);
			else this.#sql.exec("BEGIN");
			const refusal = isWrite ? this.#findRefusal() : undefined;
			if (refusal) {
				this.#sql.exec("ROLLBACK");
				return refuse(refusal);
			}
			const answers = calls.map((call) => this.#run(call));
			const names = calls.map(({ name }) => name);
			if (isWrite) this.#options.onCommit?.("before", names);
			this.#sql.exec("COMMIT");
			if (isWrite) this.#options.onCommit?.("after", names);
			this.#options.answer(answers);
		} catch (error) {
			this.#rollBack();
			refuse(storeProblem(this.#options.folder, error));
		}
	}

	#findRefusal(): Problem | undefined {
		if (this.#sql.version > migrations.length) {
			this.#readOnly = { kind: "newer" };
			this.#dispossess("newer");
			return { code: "store.newer", message: explainReadOnly(this.#readOnly) };
		}
		if (this.#hostId !== null && isFenced(this.#sql, this.#hostId)) {
			this.#dispossess("fenced");
			return fencedProblem;
		}
		return undefined;
	}

	#dispossess(why: Dispossession): void {
		if (!this.#isDispossessed) this.#options.onDispossessed?.(why);
		this.#isDispossessed = true;
	}

	#run({ id, name, input }: Call): Answer {
		if (this.#readOnly !== null && !isRead(name)) {
			return { id, ok: false, problem: { code: "store.readOnly", message: explainReadOnly(this.#readOnly) } };
		}
		this.#sql.exec("SAVEPOINT call");
		try {
			const value = findOperation(name)(this.#sql, input as never);
			this.#sql.exec("RELEASE call");
			return { id, ok: true, value };
		} catch (error) {
			this.#sql.exec("ROLLBACK TO call; RELEASE call");
			const problem = error instanceof ProblemError ? error.problem : storeProblem(this.#options.folder, error);
			return { id, ok: false, problem };
		}
	}

	/** SQLite rolls back by itself after some errors; then there is nothing left to roll back. */
	#rollBack(): void {
		if (this.#sql.isInTransaction) this.#sql.exec("ROLLBACK");
	}
}

/** IMMEDIATE, because a writer that begins as a reader can be refused at its first write. */
export function beginWrite(sql: Sql): void {
	takeTurn(patienceMs, () => sql.exec("BEGIN IMMEDIATE"));
}

function findOperation(name: string): (sql: Sql, input: never) => unknown {
	const table: Readonly<Record<string, (sql: Sql, input: never) => unknown>> = operations;
	const operation = table[name];
	if (!operation) throw new BugError(`The store has no operation named ${name}`);
	return operation;
}
