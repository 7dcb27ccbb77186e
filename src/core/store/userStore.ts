import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { nothingSpent, type Spent } from "../runs/budget.ts";
import type { StandingAnswerRecord } from "../runs/approval.ts";
import { beginWrite } from "./groupCommit.ts";
import { Sql } from "./sql.ts";
import { takeTurn } from "./takeTurn.ts";

const openPatienceMs = 5_000;

const migrations: readonly string[] = [
	`CREATE TABLE day_spent (
		day TEXT NOT NULL,
		-- The folder of the store whose runs these were.
		store TEXT NOT NULL,
		tokens INTEGER NOT NULL,
		usd REAL NOT NULL,
		turns INTEGER NOT NULL,
		tool_calls INTEGER NOT NULL,
		spawns INTEGER NOT NULL,
		PRIMARY KEY (day, store)
	) STRICT, WITHOUT ROWID;`,
	`CREATE TABLE always_answer (
		id TEXT PRIMARY KEY,
		verdict TEXT NOT NULL CHECK (verdict IN ('allow', 'deny')),
		rule TEXT NOT NULL,
		-- Who asked when it was given, and in which store the question is.
		run_id TEXT NOT NULL,
		agent_id TEXT NOT NULL,
		store TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		revoked_at INTEGER
	) STRICT;`,
];

export interface AlwaysAnswers {
	readonly verdict: "allow" | "deny";
	/** One answer each. */
	readonly rules: readonly { readonly id: string; readonly rule: string }[];
	readonly runId: string;
	readonly agentId: string;
	readonly store: string;
	readonly at: number;
}

export interface DaySpent {
	readonly day: string;
	readonly store: string;
	/** All that the store has of that day, not what was added: said twice it is the same. */
	readonly spent: Spent;
}

/** `user.db`: what spans the workspaces of a user. Small, without hosts, and never a reason for a run to fail. */
export class UserStore {
	readonly #sql: Sql;

	constructor(folder: string) {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		this.#sql = new Sql(new DatabaseSync(path.join(folder, "user.db"), { timeout: openPatienceMs }));
		takeTurn(openPatienceMs, () => this.#sql.exec("PRAGMA journal_mode = WAL"));
		this.#sql.exec("PRAGMA synchronous = FULL");
		this.#write(() => {
			const from = this.#sql.version;
			if (from >= migrations.length) return;
			for (const migration of migrations.slice(from)) this.#sql.exec(migration);
			this.#sql.exec(`PRAGMA user_version = ${migrations.length}`);
		});
	}

	/** Keeps what a store has spent on a day, and gives what all stores have. Amounts only grow. */
	noteDay({ day, store, spent: { toolCalls, ...spent } }: DaySpent): Spent {
		return this.#write(() => {
			this.#sql.run(
				`INSERT INTO day_spent (day, store, tokens, usd, turns, tool_calls, spawns)
					VALUES (:day, :store, :tokens, :usd, :turns, :toolCalls, :spawns)
					ON CONFLICT (day, store) DO UPDATE SET tokens = max(tokens, excluded.tokens), usd = max(usd, excluded.usd),
						turns = max(turns, excluded.turns), tool_calls = max(tool_calls, excluded.tool_calls),
						spawns = max(spawns, excluded.spawns)`,
				{ day, store, toolCalls, ...spent },
			);
			const sum = this.#sql.get<Record<keyof Spent, number | null>>(
				`SELECT sum(tokens) AS tokens, sum(usd) AS usd, sum(turns) AS turns, sum(tool_calls) AS toolCalls,
					sum(spawns) AS spawns FROM day_spent WHERE day = :day`,
				{ day },
			);
			return (sum as Spent | undefined) ?? nothingSpent;
		});
	}

	/** What a person has answered for good, wherever a run asks. */
	keepAlways({ verdict, rules, runId, agentId, store, at }: AlwaysAnswers): void {
		this.#write(() => {
			for (const { id, rule } of rules) {
				this.#sql.run(
					`INSERT INTO always_answer (id, verdict, rule, run_id, agent_id, store, created_at)
						VALUES (:id, :verdict, :rule, :runId, :agentId, :store, :at)`,
					{ id, verdict, rule, runId, agentId, store, at },
				);
			}
		});
	}

	listAlways(): StandingAnswerRecord[] {
		return this.#sql.all<StandingAnswerRecord>(
			`SELECT id, verdict, 'always' AS scope, run_id AS runId, agent_id AS agentId, NULL AS agentHash, rule,
				created_at AS createdAt FROM always_answer WHERE revoked_at IS NULL ORDER BY id`,
		);
	}

	/** Whether it held until now. */
	revokeAlways({ id, at }: { readonly id: string; readonly at: number }): boolean {
		return this.#write(
			() =>
				this.#sql.run("UPDATE always_answer SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL", { id, at }) >
				0,
		);
	}

	close(): void {
		this.#sql.close();
	}

	#write<Value>(work: () => Value): Value {
		beginWrite(this.#sql);
		try {
			const value = work();
			this.#sql.exec("COMMIT");
			return value;
		} catch (error) {
			if (this.#sql.isInTransaction) this.#sql.exec("ROLLBACK");
			throw error;
		}
	}
}
