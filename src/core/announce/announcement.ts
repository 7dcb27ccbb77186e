import { formatCount, formatDuration } from "../base/format.ts";
import { titleOf, type Run, type Usage } from "../runs/run.ts";
import type { TerminalState } from "../runs/runState.ts";

const summaryMark = "SUMMARY:";
const summaryLength = 200;

/** What the subagent said it found: the text after its last `SUMMARY:`, else the end of its answer. */
export function summarize(answer: string): string {
	const marked = answer.lastIndexOf(summaryMark);
	const text = (marked < 0 ? answer : answer.slice(marked + summaryMark.length)).trim().replace(/\s+/gu, " ");
	const graphemes = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
	if (graphemes.length <= summaryLength) return text;
	return marked < 0
		? `…${graphemes.slice(1 - summaryLength).join("")}`
		: `${graphemes.slice(0, summaryLength - 1).join("")}…`;
}

export interface RunResult {
	readonly state: TerminalState;
	readonly usage: Usage;
	readonly summary: string | null;
	readonly error: string | null;
	readonly at: number;
}

/** The compact announcement: five lines that tell the requester how its subagent ended, and where to read more. */
export function composeAnnouncement(run: Run, result: RunResult): string {
	const { usage, summary, at } = result;
	const runtime = `runtime ${formatDuration(at - (run.startedAt ?? at))}`;
	const tokens = `tokens ${formatCount(usage.inputTokens + usage.outputTokens)} (in ${formatCount(usage.inputTokens)} / out ${formatCount(usage.outputTokens)})`;
	const cost = usage.usd === null ? "cost unknown" : `$${usage.usd.toFixed(2)}`;
	return [
		`[Subagent] "${titleOf(run)}" ${describeEnd(result)}`,
		`session: ${run.sessionKey}`,
		"",
		`Summary: ${summary ?? "(no output)"}`,
		"",
		`Stats: ${[runtime, tokens, cost].join(" • ")}`,
	].join("\n");
}

function describeEnd({ state, error }: RunResult): string {
	switch (state) {
		case "ok":
			return "completed successfully";
		case "partial":
			return "ended early (partial)";
		case "timeout":
			return "timed out";
		case "error":
			return `failed: ${error ?? "no reason was given"}`;
		case "canceled":
			return "was stopped";
		case "lost":
			return "was lost";
	}
}
