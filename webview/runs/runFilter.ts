import type { RunRow } from "../../src/protocol/panel.ts";
import { type RunGroup, runStates } from "./runStates.ts";
import { stateText } from "./runText.ts";

export const runGroups = ["all", "active", "failed", "finished"] as const;

export interface RunFilter {
	readonly text: string;
	readonly group: "all" | RunGroup;
}

export const everyRun: RunFilter = { text: "", group: "all" };

/** The longest filter worth keeping, and how far into a text it looks. */
export const filterLimits = { filterCharacters: 200, textCharacters: 2000 } as const;

/** Plain substring, never a pattern: what the user types is looked for as it stands. */
export function matchesText(run: RunRow, text: string): boolean {
	const wanted = text.trim().toLowerCase();
	if (wanted === "") return true;
	return [run.title, run.agent, stateText(run), run.result ?? ""].some((part) =>
		part.slice(0, filterLimits.textCharacters).toLowerCase().includes(wanted),
	);
}

export function matchesGroup(run: RunRow, group: RunFilter["group"]): boolean {
	return group === "all" || runStates[run.state].group === group;
}
