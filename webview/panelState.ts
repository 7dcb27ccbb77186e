import { everyRun, filterLimits, type RunFilter, runGroups } from "./runs/runFilter.ts";

/** All the panel keeps over a reload: how things look, never what is true. */
export interface PanelState {
	readonly tab: "runs";
	readonly filter: RunFilter;
	readonly selectedRunId: string | null;
}

/** Reads what an earlier page left behind. Anything that is not exactly such a state counts as nothing. */
export function parsePanelState(raw: unknown): PanelState {
	const fresh: PanelState = { tab: "runs", filter: everyRun, selectedRunId: null };
	if (!isRecord(raw) || raw.tab !== "runs") return fresh;
	const filter = parseFilter(raw.filter);
	const selectedRunId = raw.selectedRunId;
	if (filter === undefined || (selectedRunId !== null && typeof selectedRunId !== "string")) return fresh;
	return { tab: "runs", filter, selectedRunId };
}

function parseFilter(raw: unknown): RunFilter | undefined {
	if (!isRecord(raw)) return undefined;
	const text = raw.text;
	const group = runGroups.find((name) => name === raw.group);
	if (typeof text !== "string" || text.length > filterLimits.filterCharacters || group === undefined) return undefined;
	return { text, group };
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null;
}
