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

/** A plan goes on after its summary, which is one line. */
export function summarizePlan(answer: string): string {
	const line = /^\s*SUMMARY:(.*)$/mu.exec(answer)?.[1] ?? "";
	return line.trim() === "" ? summarize(answer) : summarize(line);
}

function tidy(text: string): string {
	return text.trim().replaceAll(/\s+/gu, " ");
}

/**
 * Tells the requester how its subagent ended, and where to read more. `answer` is the whole last answer, for agents that
 * announce in full; without it the compact form.
 */
export function composeAnnouncement(run: Run, answer: string | null = null, approver: PlanApprover = "user"): string {
	const { usage, summary } = run;
	const end = run.endedAt ?? 0;
	const runtime = `runtime ${formatDuration(end - (run.startedAt ?? end))}`;
	const tokens = `tokens ${formatCount(usage.inputTokens + usage.outputTokens)} (in ${formatCount(usage.inputTokens)} / out ${formatCount(usage.outputTokens)})`;
	const cost = usage.usd === null ? "cost unknown" : `$${usage.usd.toFixed(2)}`;
	return [
		heading(run),
		`session: ${run.sessionKey}`,
		"",
		...(run.request.planMode && run.state === "ok" ? [...howToDecide(run, approver), ""] : []),
		answer === null ? `Summary: ${summary ?? "(no output)"}` : `Answer:\n${answer}`,
		"",
		`Stats: ${[runtime, tokens, cost].join(" • ")}`,
	].join("\n");
}

/** Who may approve a plan besides the user. */
export type PlanApprover = "user" | "agent";

function heading(run: Run): string {
	const title = `"${titleOf(run)}"`;
	if (!run.request.planMode) return `[Subagent] ${title} ${describeEnd(run)}`;
	return run.state === "ok" ? `[PLAN READY] ${title} plan completed` : `[PLAN FAILED] ${title} ${describeEnd(run)}`;
}

function howToDecide({ sessionKey }: Run, approver: PlanApprover): string[] {
	if (approver === "user") return ["Waiting for the user's approval."];
	return [
		`To approve: sessions_send sessionKey="${sessionKey}" message="APPROVED: proceed"`,
		`To reject:  sessions_send sessionKey="${sessionKey}" message="REJECTED: <reason>"`,
	];
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
