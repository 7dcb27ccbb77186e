import { BugError } from "../base/errors.ts";
import { operations } from "./operations.ts";
import type { Sql } from "./sql.ts";
import { storeProblem } from "./sqliteErrors.ts";
import type { Answer, ToWorker } from "./workerProtocol.ts";

type Call = ToWorker & { readonly kind: "call" };

/**
 * Commits calls in groups: whatever arrives while one group is being committed becomes the next, one transaction and one
 * sync for all of it. Each call has a savepoint of its own, so one that fails takes nothing else with it. Answers are
 * given after the commit, so nobody is told what is not on disk.
 */
export class GroupCommit {
	readonly #sql: Sql;
	readonly #folder: string;
	readonly #answer: (answers: readonly Answer[]) => void;
	readonly #begin: string;
	#waiting: Call[] = [];

	constructor(sql: Sql, options: { folder: string; isReadOnly: boolean; answer(answers: readonly Answer[]): void }) {
		this.#sql = sql;
		this.#folder = options.folder;
		this.#answer = (answers) => options.answer(answers);
		// A writer that begins as a reader can be refused at its first write, without waiting; so it says at once what it is.
		this.#begin = options.isReadOnly ? "BEGIN" : "BEGIN IMMEDIATE";
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
		try {
			this.#sql.exec(this.#begin);
			const answers = calls.map((call) => this.#run(call));
			this.#sql.exec("COMMIT");
			this.#answer(answers);
		} catch (error) {
			this.#rollBack();
			const problem = storeProblem(this.#folder, error);
			this.#answer(calls.map(({ id }) => ({ id, ok: false, problem })));
		}
	}

	#run({ id, name, input }: Call): Answer {
		this.#sql.exec("SAVEPOINT call");
		try {
			const value = findOperation(name)(this.#sql, input as never);
			this.#sql.exec("RELEASE call");
			return { id, ok: true, value };
		} catch (error) {
			this.#sql.exec("ROLLBACK TO call; RELEASE call");
			return { id, ok: false, problem: storeProblem(this.#folder, error) };
		}
	}

	/** SQLite rolls back by itself after some errors; then there is nothing left to roll back. */
	#rollBack(): void {
		if (this.#sql.isInTransaction) this.#sql.exec("ROLLBACK");
	}
}

function findOperation(name: string): (sql: Sql, input: never) => unknown {
	const table: Readonly<Record<string, (sql: Sql, input: never) => unknown>> = operations;
	const operation = table[name];
	if (!operation) throw new BugError(`The store has no operation named ${name}`);
	return operation;
}
