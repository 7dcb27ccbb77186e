import fs from "node:fs";
import path from "node:path";
import type { NewEntry } from "../../../src/core/sessions/entry.ts";
import { openDatabase } from "../../../src/core/store/openDatabase.ts";
import { operations } from "../../../src/core/store/operations.ts";
import type { Sql } from "../../../src/core/store/sql.ts";
import { answer, readInput } from "../measure.ts";
import { anEnd, newRun, task } from "./newRun.ts";
import { openThinTable } from "./thinTable.ts";

export interface SeedInput {
	readonly folder: string;
	readonly runs: number;
	/** Whose runs they are; it is no host of the store yet. */
	readonly hostId: string;
	/** Whether they have ended, or only some have begun and the others wait. */
	readonly areEnded: boolean;
	readonly listed: number;
}

const inOneTransaction = 1_000;
/** Beside a long queue an acceptance takes milliseconds: what goes beyond this is copied. */
const mostAccepted = 100;

const input = readInput<SeedInput>();
seedMuster();
await seedThin();
answer(null);

/** By the store's own operations, so that all that belongs to a run is there. */
function seedMuster(): void {
	const { sql } = openDatabase(input.folder);
	// The host's row comes with the process that is measured.
	sql.exec("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF");
	const journal = fs.openSync(path.join(input.folder, "journal.jsonl"), "w");
	const accepted = input.areEnded ? input.runs : Math.min(input.runs, mostAccepted);
	for (let from = 0; from < accepted; from += inOneTransaction) {
		sql.exec("BEGIN");
		for (let n = from; n < Math.min(accepted, from + inOneTransaction); n++) seedRun(sql, n, journal);
		sql.exec("COMMIT");
	}
	sql.exec("BEGIN");
	for (const table of ["session", "run"] as const) cloneLast(sql, table, accepted, input.runs);
	sql.exec("COMMIT");
	fs.closeSync(journal);
	const newest = operations.listRuns(sql, { limit: input.listed });
	fs.writeFileSync(path.join(input.folder, "snapshot.json"), JSON.stringify(newest));
	sql.close();
}

function seedRun(sql: Sql, n: number, journal: number): void {
	const id = runId(n);
	const { hostId } = input;
	operations.acceptRun(sql, newRun(id, hostId, n));
	if (!input.areEnded) return;
	operations.claimRuns(sql, { hostId, passOver: [], at: n + 1 });
	operations.appendToLiveRun(sql, { runId: id, sessionId: `ses_${id}`, entries: transcript(n) });
	const { run } = operations.endRun(sql, anEnd(id, n + 2));
	fs.writeSync(journal, `${JSON.stringify({ type: "run", run })}\n`);
	for (const { type, ...event } of operations.readEvents(sql, { runId: id })) {
		fs.writeSync(journal, `${JSON.stringify({ type, event })}\n`);
	}
}

async function seedThin(): Promise<void> {
	const table = await openThinTable(input.folder);
	const runs = Array.from({ length: input.runs }, (_, n) => newRun(runId(n), input.hostId, n));
	await Promise.all(runs.map((run) => table.write({ kind: "accept", id: run.id, body: JSON.stringify(run) })));
	await table.close();
}

/** Rows `from` to `to`, each like the last one that was accepted. */
function cloneLast(sql: Sql, table: "session" | "run", from: number, to: number): void {
	const id = "printf('run_%08d', n)";
	const own: Readonly<Record<string, string>> =
		table === "run"
			? { id, session_id: `'ses_' || ${id}`, place: "n + 1", queued_at: "n" }
			: { id: `'ses_' || ${id}`, key: `'agent:scout:subagent:' || ${id}` };
	const last = table === "run" ? runId(from - 1) : `ses_${runId(from - 1)}`;
	const columns = sql
		.all<{ name: string }>("SELECT name FROM pragma_table_info(:table)", { table })
		.map(({ name }) => name)
		.filter((name) => name !== "seq");
	sql.exec(`WITH RECURSIVE number (n) AS (SELECT ${from} WHERE ${from} < ${to} UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ${to})
		INSERT INTO ${table} (${columns.join(", ")}) SELECT ${columns.map((name) => own[name] ?? `last.${name}`).join(", ")}
		FROM number, (SELECT * FROM ${table} WHERE id = '${last}') AS last`);
}

function transcript(at: number): NewEntry[] {
	const entry = { turn: 1, at, toolName: null, toolCallId: null, isError: false };
	return [1, 2, 3, 4].map((part) => ({ ...entry, kind: "text", text: `Part ${part}. ${task}` }));
}

function runId(n: number): string {
	return `run_${String(n).padStart(8, "0")}`;
}
