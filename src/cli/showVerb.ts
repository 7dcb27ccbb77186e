import { describeBudget, spentBy } from "../core/runs/budget.ts";
import { formatCount, formatDuration } from "../core/base/format.ts";
import { titleOf, type Run } from "../core/runs/run.ts";
import type { RunEvent } from "../core/runs/runEvent.ts";
import { noSuchRun, readStore } from "./openStore.ts";
import { printable } from "./printable.ts";
import { toRow } from "./runRow.ts";
import { readCall } from "./storeOptions.ts";

/** `muster show <run> [--events]`: what is known of one run, and everything that happened to it. */
export async function showVerb(args: readonly string[]): Promise<number> {
	const { place, isJson, values, words } = readCall(args, {
		options: { events: { type: "boolean" } },
		words: ["run"],
	});
	const [word = ""] = words;
	const { run, events } = await readStore(
		place,
		async ({ control, transcripts }) => {
			const found = await control.find(word);
			return { run: found, events: values.events === true ? await transcripts.readEvents(found.id) : null };
		},
		() => noSuchRun(word),
	);
	process.stdout.write(isJson ? `${JSON.stringify(toJson(run, events))}\n` : printable(toText(run, events)));
	return 0;
}

function toJson(run: Run, events: readonly RunEvent[] | null) {
	const { role, cause, hold, summary, findings = null, error, archivedAt } = run;
	return { run: { ...toRow(run), role, cause, hold, summary, findings, error, archivedAt }, ...(events && { events }) };
}

const undelivered = {
	blocked: "not delivered: who asked for it could not be reached",
	dead_letter: "not delivered: who asked for it is gone",
} as const;

function toText(run: Run, events: readonly RunEvent[] | null): string {
	const { usage, startedAt, endedAt } = run;
	const facts: readonly (readonly [string, string | null])[] = [
		["run", run.id],
		["title", titleOf(run)],
		["state", run.hold === null ? run.state : `${run.state} (${run.hold})`],
		["agent", run.agentId],
		["role", run.role],
		["model", run.model],
		["session", run.sessionKey],
		["parent", run.parentRunId],
		["queued", toTime(run.queuedAt)],
		["started", startedAt === null ? null : toTime(startedAt)],
		["ended", endedAt === null ? null : toTime(endedAt)],
		["took", startedAt === null || endedAt === null ? null : formatDuration(endedAt - startedAt)],
		["tokens", `in ${formatCount(usage.inputTokens)} / out ${formatCount(usage.outputTokens)}`],
		["cost", usage.usd === null ? "unknown" : `$${usage.usd.toFixed(2)}`],
		["budget", run.request.budget && describeBudget(run.request.budget, spentBy(usage, run.work))],
		["summary", run.summary],
		["error", run.error],
		["result", run.undelivered === null ? null : undelivered[run.undelivered]],
	];
	const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(8)}${value}`]));
	return `${[...lines, ...(events ?? []).map(toLine)].join("\n")}\n`;
}

function toLine({ type, at, ...facts }: RunEvent): string {
	return `${toTime(at)}  ${type}  ${JSON.stringify(facts)}`;
}

function toTime(at: number): string {
	return new Date(at).toISOString();
}
