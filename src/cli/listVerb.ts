import { titleOf } from "../core/runs/run.ts";
import type { RunState } from "../core/runs/runState.ts";
import { readStore } from "./openStore.ts";
import { printable } from "./printable.ts";
import { toRow } from "./runRow.ts";
import { readCall } from "./storeOptions.ts";
import { UsageError } from "./usage.ts";

const listedRuns = 1_000;
const states: Readonly<Record<RunState, true>> = {
	queued: true,
	running: true,
	waiting_approval: true,
	waiting_children: true,
	ok: true,
	partial: true,
	error: true,
	timeout: true,
	canceled: true,
	lost: true,
};

/** `muster list`: a workspace without a store has no runs, and listing does not make one. */
export async function listVerb(args: readonly string[]): Promise<number> {
	const { place, isJson, values } = readCall(args, { options: { state: { type: "string" } } });
	const { state } = values;
	if (state !== undefined && !Object.hasOwn(states, state)) {
		throw new UsageError(`There is no state “${state}”. There are: ${Object.keys(states).join(", ")}.`);
	}
	const all = await readStore(
		place,
		({ database }) => database.call("listRuns", { limit: listedRuns }),
		() => [],
	);
	const runs = all.filter((run) => state === undefined || run.state === state);
	if (isJson) process.stdout.write(`${JSON.stringify({ runs: runs.map(toRow) })}\n`);
	else
		for (const run of runs)
			process.stdout.write(
				`${run.id}  ${(run.hold ?? run.state).padEnd(8)}  ${run.agentId}  ${printable(titleOf(run))}${run.undelivered === null ? "" : "  (result not delivered)"}\n`,
			);
	return 0;
}
