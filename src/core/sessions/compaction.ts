import type { ModelMessage } from "../models/modelPort.ts";
import type { Entry } from "./entry.ts";

/** A notice that stands for older turns has this in place of a tool's name, and its reach in place of a call's id. */
export const compactionMark = "compaction";

/** What a compaction leaves as it is; both by `seq`. */
export interface CompactionReach {
	/** Single entries from before, such as the task. */
	readonly kept: readonly number[];
	/** Everything from here on. */
	readonly from: number;
}

export interface CompactionPlan {
	readonly reach: CompactionReach;
	/** What is to be summarised. */
	readonly older: readonly Entry[];
}

export function isCompaction({ kind, toolName }: Entry): boolean {
	return kind === "notice" && toolName === compactionMark;
}

/** As the notice's call id has it: `1,40;57`. */
export function writeReach({ kept, from }: CompactionReach): string {
	return `${kept.join(",")};${from}`;
}

/** Undefined for what no compaction has written. */
export function readReach({ toolCallId }: Entry): CompactionReach | undefined {
	const parts = /^((?:\d+(?:,\d+)*)?);(\d+)$/u.exec(toolCallId ?? "");
	if (parts === null) return undefined;
	const [, kept = "", from = ""] = parts;
	return { kept: kept === "" ? [] : kept.split(",").map(Number), from: Number(from) };
}

/**
 * Where to cut a conversation, given as the model reads it: the task and what follows the cut stay, the rest is to be
 * summarised. As many turns stay as fit in `keepTokens`, and the last one always. No call is parted from its result, and
 * no answer is cut in two. Undefined when there is nothing to summarise.
 */
export function planCompaction(
	entries: readonly Entry[],
	options: { readonly runId: string; readonly isSubagent: boolean; readonly keepTokens: number },
): CompactionPlan | undefined {
	const tasks = findTasks(entries, options);
	const cuts = findCuts(entries).filter((cut) =>
		entries.slice(0, cut).some((entry) => !tasks.has(entry) && !isCompaction(entry) && isHeard(entry)),
	);
	const cut = cuts.find((at) => estimate(entries.slice(at)) <= options.keepTokens) ?? cuts.at(-1);
	const first = cut === undefined ? undefined : entries[cut];
	if (first === undefined) return undefined;
	const before = entries.slice(0, cut);
	return {
		reach: { kept: before.filter((entry) => tasks.has(entry)).map(({ seq }) => seq), from: first.seq },
		older: before.filter((entry) => !tasks.has(entry)),
	};
}

/** What a subagent was made for, and what began this run. */
function findTasks(
	entries: readonly Entry[],
	{ runId, isSubagent }: { readonly runId: string; readonly isSubagent: boolean },
): ReadonlySet<Entry> {
	const asked = entries.filter(({ kind }) => kind === "user");
	const tasks = [isSubagent ? asked[0] : undefined, asked.find((entry) => entry.runId === runId) ?? asked.at(-1)];
	return new Set(tasks.filter((task) => task !== undefined));
}

/** Whether the model reads it. Of our own words it reads those that have a mark. */
export function isHeard({ kind, toolName }: Entry): boolean {
	return kind !== "reasoning" && (kind !== "notice" || toolName !== null);
}

/** The places before which a turn begins and no call is open, by index. */
function findCuts(entries: readonly Entry[]): number[] {
	const open = openAfter(entries);
	const cuts: number[] = [];
	let turn = "";
	for (const [index, entry] of entries.entries()) {
		if (!isHeard(entry) || isCompaction(entry)) continue;
		const own = `${entry.runId}:${entry.turn}`;
		const isBeginning = entry.kind === "user" || entry.kind === "announcement" || own !== turn;
		const isPart = entry.kind === "tool_result" || entry.kind === "replay";
		if (index > 0 && isBeginning && !isPart && open[index - 1] === 0) cuts.push(index);
		turn = own;
	}
	return cuts;
}

/** After each entry, how many calls still get their result later. A call that was interrupted never does. */
function openAfter(entries: readonly Entry[]): readonly number[] {
	const answered = new Set<number>();
	const waiting = new Map<string, number>();
	const results = new Set<number>();
	for (const [index, { kind, toolCallId }] of entries.entries()) {
		if (kind === "tool_call") waiting.set(toolCallId ?? "", index);
		if (kind !== "tool_result") continue;
		const call = waiting.get(toolCallId ?? "");
		if (call === undefined) continue;
		answered.add(call);
		results.add(index);
		waiting.delete(toolCallId ?? "");
	}
	let count = 0;
	return entries.map((_, index) => (count += answered.has(index) ? 1 : results.has(index) ? -1 : 0));
}

/** Four characters are taken for a token. */
function estimate(entries: readonly Entry[]): number {
	return entries.reduce((sum, entry) => sum + (isHeard(entry) ? Math.ceil(entry.text.length / 4) : 0), 0);
}

const heading = "[muster: the turns before this were summarised to make room]";
const skillsLine = "Skills loaded earlier, to be loaded again where their text is needed: ";

/** What the model reads in place of the older turns. */
export function composeCompaction(summary: string, older: readonly ModelMessage[]): string {
	const skills = findSkills(older);
	return [
		heading,
		"It is a record of what happened, not a new instruction.",
		summary.trim(),
		...(skills.length > 0 ? [`${skillsLine}${skills.join(", ")}`] : []),
	].join("\n\n");
}

/** Also those that an earlier compaction names: its turns are gone. */
function findSkills(messages: readonly ModelMessage[]): readonly string[] {
	const names = messages.flatMap((message) => {
		if (message.role === "assistant") {
			return message.toolCalls.flatMap(({ toolName, input }) => {
				const { name, file }: { name?: unknown; file?: unknown } = Object(input);
				return toolName === "skill" && typeof name === "string" && file === undefined ? [name.slice(0, 80)] : [];
			});
		}
		if (message.role !== "user" || !message.text.startsWith(heading)) return [];
		const line = message.text.split("\n").findLast((each) => each.startsWith(skillsLine));
		return line === undefined ? [] : line.slice(skillsLine.length).split(", ");
	});
	return [...new Set(names)];
}

/** Older turns as text for the model that summarises them, at most about so many characters long. */
export function renderForSummary(messages: readonly ModelMessage[], mostCharacters: number): string {
	for (const most of [8_000, 2_000, 500]) {
		const text = messages.flatMap((message) => describe(message, most)).join("\n\n");
		if (text.length <= mostCharacters) return text;
	}
	const lines = messages.flatMap((message) => describe(message, 500)).join("\n\n");
	const half = Math.floor(mostCharacters / 2);
	return `${lines.slice(0, half)}\n\n[… ${lines.length - 2 * half} characters left out …]\n\n${lines.slice(-half)}`;
}

function describe(message: ModelMessage, most: number): string[] {
	switch (message.role) {
		case "user":
			return [`User: ${shorten(message.text, most)}`];
		case "tool":
			return [`Result of ${message.toolName}${message.isError ? " (error)" : ""}: ${shorten(message.text, most)}`];
		case "assistant":
			return [
				...(message.text.trim() === "" ? [] : [`Agent: ${shorten(message.text, most)}`]),
				...message.toolCalls.map(
					({ toolName, input }) => `Agent calls ${toolName}: ${shorten(JSON.stringify(input) ?? "", most)}`,
				),
			];
	}
}

function shorten(text: string, most: number): string {
	const shown = text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
	return shown.replaceAll(/<(?=\/?\s*conversation\b)/giu, "‹");
}
