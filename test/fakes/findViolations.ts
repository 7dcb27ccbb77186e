import { existsSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrations } from "../../src/core/store/schema.ts";
import { Sql } from "../../src/core/store/sql.ts";
import { type Violation, verifyStore } from "../../src/core/store/verifyStore.ts";

/** What is wrong with the store in a folder, read by a new connection. None where there is none of this version. */
export function findViolations(storeFolder: string): readonly Violation[] {
	const file = path.join(storeFolder, "muster.db");
	if (!existsSync(file)) return [];
	const sql = new Sql(new DatabaseSync(file, { readOnly: true, timeout: 5_000 }));
	try {
		return sql.version === migrations.length ? verifyStore(sql).violations : [];
	} finally {
		sql.close();
	}
}
