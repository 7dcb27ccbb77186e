import { DatabaseSync } from "node:sqlite";
import { migrations } from "./schema.ts";
import { Sql } from "./sql.ts";

interface Column {
	readonly name: string;
	readonly initial: string | null;
}

/**
 * Gives an older database that cannot be migrated now the shape that this program's queries expect, for this connection
 * alone and without writing to it: what it lacks is there, and empty. What is there stays live.
 */
export function completeShape(sql: Sql): void {
	const wanted = new Sql(new DatabaseSync(":memory:"));
	try {
		for (const migration of migrations) wanted.exec(migration);
		sql.exec("PRAGMA temp_store = MEMORY");
		const tables = wanted.all<{ name: string }>(
			"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
		);
		for (const { name } of tables) completeTable(sql, name, columnsOf(wanted, name));
	} finally {
		wanted.close();
	}
}

function completeTable(sql: Sql, table: string, columns: readonly Column[]): void {
	const present = new Set(columnsOf(sql, table).map(({ name }) => name));
	const lacking = columns.filter(({ name }) => !present.has(name));
	if (present.size === 0) {
		sql.exec(`CREATE TEMP TABLE "${table}" (${columns.map(({ name }) => `"${name}"`).join(", ")})`);
	} else if (lacking.length > 0) {
		const added = lacking.map(({ name, initial }) => `${initial ?? "NULL"} AS "${name}"`);
		sql.exec(`CREATE TEMP VIEW "${table}" AS SELECT *, ${added.join(", ")} FROM main."${table}"`);
	}
}

function columnsOf(sql: Sql, table: string): Column[] {
	return sql.all<Column>("SELECT name, dflt_value AS initial FROM pragma_table_info(:table, 'main')", { table });
}
