import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** One open database with its statements prepared once. */
export class Sql {
	readonly #database: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();
	#seenVersion: number | undefined;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	exec(sql: string): void {
		this.#database.exec(sql);
	}

	/** Returns the number of rows that changed. */
	run(sql: string, parameters: Record<string, SQLInputValue> = {}): number {
		return Number(this.#prepare(sql).run(parameters).changes);
	}

	get<Row>(sql: string, parameters: Record<string, SQLInputValue> = {}): Row | undefined {
		return this.#prepare(sql).get(parameters) as Row | undefined;
	}

	all<Row>(sql: string, parameters: Record<string, SQLInputValue> = {}): Row[] {
		return this.#prepare(sql).all(parameters) as Row[];
	}

	/** Row by row, for a reader that stops early. Nothing may be written before it has ended. */
	iterate<Row>(sql: string, parameters: Record<string, SQLInputValue> = {}): Iterable<Row> {
		return this.#prepare(sql).iterate(parameters) as Iterable<unknown> as Iterable<Row>;
	}

	get isInTransaction(): boolean {
		return this.#database.isTransaction;
	}

	/** The number of migrations that the database has seen. */
	get version(): number {
		return this.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
	}

	/** Whether another connection has committed since this was last asked. */
	hasChangedElsewhere(): boolean {
		const version = this.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
		const hasChanged = this.#seenVersion !== undefined && this.#seenVersion !== version;
		this.#seenVersion = version;
		return hasChanged;
	}

	close(): void {
		this.#statements.clear();
		this.#database.close();
	}

	#prepare(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = this.#database.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}
}
