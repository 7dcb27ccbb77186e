import * as vscode from "vscode";
import { commands, runContextValues } from "../../contributions.ts";
import { formatCount, formatDuration } from "../../core/base/format.ts";
import type { RunView } from "../../core/engine/runRegistry.ts";
import { describeBudget, spentBy } from "../../core/runs/budget.ts";
import { titleOf } from "../../core/runs/run.ts";
import { isTerminal, type RunState } from "../../core/runs/runState.ts";

const looks: Readonly<Record<RunState, { icon: string; color?: string; word: string }>> = {
	queued: { icon: "clock", word: "queued" },
	running: { icon: "sync~spin", color: "charts.blue", word: "running" },
	waiting_approval: { icon: "bell-dot", color: "list.warningForeground", word: "waiting for you" },
	waiting_children: { icon: "git-merge", color: "charts.purple", word: "waiting for children" },
	ok: { icon: "pass", color: "testing.iconPassed", word: "finished" },
	partial: { icon: "circle-slash", color: "list.warningForeground", word: "ended early" },
	error: { icon: "error", color: "testing.iconFailed", word: "failed" },
	timeout: { icon: "watch", color: "testing.iconFailed", word: "timed out" },
	canceled: { icon: "debug-stop", color: "disabledForeground", word: "stopped" },
	lost: { icon: "debug-disconnect", color: "testing.iconFailed", word: "lost" },
};

export interface RunItemFacts {
	readonly modelLabel: string;
	readonly now: number;
	/** Why it is still queued, or why nothing is heard of it. */
	readonly waitReason: string | undefined;
	/** Whether the window that has it does not answer. */
	readonly isUnanswered: boolean;
}

/**
 * One row of the Subagents view. A side bar is narrow, so what changes comes first and the icon says the state; the
 * accessible name and the tooltip say everything.
 */
export function createRunItem(
	run: RunView,
	{ modelLabel, now, waitReason, isUnanswered }: RunItemFacts,
): vscode.TreeItem {
	const title = titleOf(run);
	const { icon, color, word } = looks[run.state];
	const state = describeState(run, word);
	const tokens = run.usage.inputTokens + run.usage.outputTokens;
	const progress = [elapsedOf(run, now), waitReason ?? describeActivity(run, now)];
	const model = [modelLabel, tokens > 0 ? `${formatCount(tokens)} tokens` : null];
	const { budget } = run.request;
	const left = budget && `budget: ${describeBudget(budget, spentBy(run.usage, run.work))}`;
	const name = join([state, ...progress, run.agentId, ...model, left]);
	const item = new vscode.TreeItem(run.agentId);
	item.id = run.id;
	item.description = join([run.state === "running" ? null : state, ...progress, title, ...model]);
	const [shownIcon, shownColor] = run.undelivered === null ? [icon, color] : ["mail", "list.warningForeground"];
	item.iconPath = new vscode.ThemeIcon(
		shownIcon,
		shownColor === undefined ? undefined : new vscode.ThemeColor(shownColor),
	);
	item.contextValue = contextValueOf(run, isUnanswered);
	item.tooltip = [title, name, run.error ?? run.summary, run.sessionKey].filter(Boolean).join("\n\n");
	item.accessibilityInformation = { label: `${title}, ${name}` };
	item.command = { command: commands.openTranscript.id, title: commands.openTranscript.title, arguments: [run.id] };
	return item;
}

const undelivered = {
	blocked: "result not delivered",
	dead_letter: "result not delivered: who asked for it is gone",
} as const;

function join(facts: readonly (string | null)[]): string {
	return facts.filter((fact) => fact !== null).join(" · ");
}

function describeState(run: RunView, word: string): string {
	if (run.undelivered !== null) return `${word}, ${undelivered[run.undelivered]}`;
	if (run.hold !== null) return run.hold;
	return run.queuePosition === null ? word : `${word} #${run.queuePosition}`;
}

function elapsedOf(run: RunView, now: number): string | null {
	const from = run.startedAt ?? (isTerminal(run.state) ? undefined : run.queuedAt);
	return from === undefined ? null : formatDuration((run.endedAt ?? now) - from);
}

/** A row is drawn again every second: it counts down. */
function describeActivity({ nextTry, activity }: RunView, now: number): string | null {
	if (!nextTry) return activity;
	const left = Math.ceil((nextTry.at - now) / 1_000);
	return left > 0 ? `asks again in ${left} s: ${nextTry.reason}` : `asks again: ${nextTry.reason}`;
}

function contextValueOf(run: RunView, isUnanswered: boolean): string {
	if (isTerminal(run.state)) {
		const kind = run.state === "ok" ? "finished" : "cut";
		return runContextValues[run.undelivered === null ? kind : (`${kind}Undelivered` as const)];
	}
	if (run.hold === "parked") return runContextValues.parked;
	const kind = run.hold ?? (run.state === "queued" ? "queued" : "live");
	return runContextValues[isUnanswered ? (`${kind}Unanswered` as const) : kind];
}
