import type { RunRow } from "../../src/protocol/panel.ts";
import { runStates } from "./runStates.ts";

const wholeNumber = new Intl.NumberFormat("en-US");
const shortNumber = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const clockTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function stateText(run: RunRow): string {
	const { word } = runStates[run.state];
	return run.queuePosition === null ? word : `${word} #${run.queuePosition}`;
}

/** Time since it started, or since it was queued while it has no slot; a dash for a run that ended without one. */
export function elapsedText(run: RunRow, now: number): string {
	if (run.startedAt === null && run.endedAt !== null) return "–";
	const milliseconds = (run.endedAt ?? now) - (run.startedAt ?? run.queuedAt);
	return durationText(Math.max(0, Math.floor(milliseconds / 1000)));
}

function durationText(seconds: number): string {
	const twoDigits = (value: number) => String(value).padStart(2, "0");
	const hours = Math.floor(seconds / 3600);
	const minutes = Math.floor(seconds / 60) % 60;
	const rest = twoDigits(seconds % 60);
	return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** The exact times behind the elapsed one. */
export function timesText(run: RunRow): string {
	const times: [string, number | null][] = [
		["Queued", run.queuedAt],
		["Started", run.startedAt],
		["Ended", run.endedAt],
	];
	return times.flatMap(([word, at]) => (at === null ? [] : `${word} ${clockTime.format(at)}`)).join("\n");
}

export function tokensText(run: RunRow): string {
	return shortNumber.format(run.inputTokens + run.outputTokens).replace("K", "k");
}

export function tokensDetail(run: RunRow): string {
	return `${wholeNumber.format(run.inputTokens)} tokens in, ${wholeNumber.format(run.outputTokens)} out`;
}

/** A price we do not know is a dash, never a zero. */
export function costText(usd: number | null, isEstimate: boolean): string {
	if (usd === null) return "–";
	const amount = usd > 0 && usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`;
	return isEstimate ? `~${amount}` : amount;
}

export function costDetail(run: RunRow): string {
	const known = run.usd === null ? "The price of this model is not known" : run.isEstimate ? "Estimated" : "";
	return [run.budget === null ? "" : `Budget: ${run.budget}`, known, tokensDetail(run)]
		.filter((part) => part !== "")
		.join("\n");
}

/** What it does now, why it does nothing, or how it ended. */
export function lastText(run: RunRow): string {
	if (run.state === "queued") return `waits for a place in lane ${run.lane}`;
	return run.result ?? run.activity ?? "";
}

/** How many runs are listed and what they cost together; runs without a known price are counted, never added as zero. */
export function totalText(listed: readonly RunRow[], total: number): string {
	const count = wholeNumber.format(listed.length);
	const runs = total === 1 ? "run" : "runs";
	const counted = listed.length === total ? `${count} ${runs}` : `${count} of ${wholeNumber.format(total)} ${runs}`;
	const priced = listed.filter((run) => run.usd !== null);
	if (priced.length === 0) return counted;
	const sum = priced.reduce((usd, run) => usd + (run.usd ?? 0), 0);
	const cost = costText(
		sum,
		priced.some((run) => run.isEstimate),
	);
	const unpriced = listed.length - priced.length;
	return unpriced === 0
		? `${counted} · ${cost}`
		: `${counted} · ${cost} · ${wholeNumber.format(unpriced)} of unknown cost`;
}
