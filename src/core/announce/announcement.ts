import { formatCount, formatDuration } from "../base/format.ts";
import { titleOf, type Run } from "../runs/run.ts";

const summaryMark = "SUMMARY:";
const summaryLength = 200;

/** What the subagent said it found: the text after its last `SUMMARY:`, else the end of its answer. */
export function summarize(answer: string): string {
	const marked = answer.lastIndexOf(summaryMark);
	const afterMark = marked < 0 ? "" : tidy(answer.slice(marked + summaryMark.length));
	const text = afterMark || tidy(answer);
	const graphemes = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
	if (graphemes.length <= summaryLength) return text;
	return afterMark === ""
		? `…${graphemes.slice(1 - summaryLength).join("")}`
		: `${graphemes.slice(0, summaryLength - 1).join("")}…`;
}

function tidy(text: string): string {
	return text.trim().replaceAll(/\s+/gu, " ");
}

/**
 * Tells the requester how its subagent ended, and where to read more. `answer` is the whole last answer, for agents that
 * announce in full; without it the compact form.
 */
export function composeAnnouncement(run: Run, answer: string | null = null): string {
	const { usage, summary } = run;
	const end = run.endedAt ?? 0;
	const runtime = `runtime ${formatDuration(end - (run.startedAt ?? end))}`;
	const tokens = `tokens ${formatCount(usage.inputTokens + usage.outputTokens)} (in ${formatCount(usage.inputTokens)} / out ${formatCount(usage.outputTokens)})`;
	const cost = usage.usd === null ? "cost unknown" : `$${usage.usd.toFixed(2)}`;
	return [
		`[Subagent] "${titleOf(run)}" ${describeEnd(run)}`,
		`session: ${run.sessionKey}`,
		"",
		answer === null ? `Summary: ${summary ?? "(no output)"}` : `Answer:\n${answer}`,
		"",
		`Stats: ${[runtime, tokens, cost].join(" • ")}`,
	].join("\n");
}

function describeEnd({ state, error }: Run): string {
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
		default:
			return "has not ended";
	}
}
