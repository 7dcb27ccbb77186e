import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../core/base/errors.ts";
import { titleOf, type Run } from "../core/runs/run.ts";
import { Database } from "../core/store/database.ts";
import { findStore } from "./findStore.ts";
import { UsageError } from "./usage.ts";

const listedRuns = 1_000;
const silentLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** `muster list`: a workspace without a store has no runs, and listing does not make one. */
export async function listVerb(args: readonly string[]): Promise<number> {
	const { state, json, ...place } = readOptions(args);
	const runs = (await readRuns(findStore(place))).filter((run) => state === undefined || run.state === state);
	if (json) process.stdout.write(`${JSON.stringify({ runs: runs.map(toRow) })}\n`);
	else
		for (const run of runs)
			process.stdout.write(`${run.id}  ${run.state.padEnd(8)}  ${run.agentId}  ${titleOf(run)}\n`);
	return 0;
}

function readOptions(args: readonly string[]) {
	const text = { type: "string" } as const;
	try {
		return parseArgs({
			args: [...args],
			options: { state: text, repo: text, data: text, store: text, json: { type: "boolean" } },
		}).values;
	} catch (error) {
		throw new UsageError(messageOf(error), { cause: error });
	}
}

async function readRuns(folder: string): Promise<Run[]> {
	if (!existsSync(path.join(folder, "muster.db"))) return [];
	const workerFile = new URL("databaseWorker.js", import.meta.url);
	const database = await Database.open({ folder, hostId: null, workerFile, logger: silentLogger });
	try {
		return await database.call("listRuns", { limit: listedRuns });
	} finally {
		await database.close();
	}
}

const rowFields = [
	"sessionId",
	"sessionKey",
	"state",
	"agentId",
	"label",
	"task",
	"lane",
	"model",
	"parentRunId",
	"requesterSessionId",
	"queuedAt",
	"startedAt",
	"endedAt",
	"usage",
] as const satisfies readonly (keyof Run)[];

function toRow(run: Run) {
	return { runId: run.id, ...Object.fromEntries(rowFields.map((field) => [field, run[field]])) };
}
