import * as vscode from "vscode";
import { commands, runContextValues } from "../../contributions.ts";
import { formatCount, formatDuration } from "../../core/base/format.ts";
import type { RunView } from "../../core/engine/runRegistry.ts";
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

/**
 * One row of the Subagents view. A side bar is narrow, so what changes comes first and the icon says the state; the
 * accessible name and the tooltip say everything.
 */
export function createRunItem(run: RunView, modelLabel: string, now: number): vscode.TreeItem {
	const title = titleOf(run);
	const { icon, color, word } = looks[run.state];
	const state = describeState(run, word);
	const tokens = run.usage.inputTokens + run.usage.outputTokens;
	const progress = [elapsedOf(run, now), run.activity];
	const model = [modelLabel, tokens > 0 ? `${formatCount(tokens)} tokens` : null];
	const name = join([state, ...progress, run.agentId, ...model]);
	const item = new vscode.TreeItem(run.agentId);
	item.id = run.id;
	item.description = join([run.state === "running" ? null : state, ...progress, title, ...model]);
	item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
	item.contextValue = contextValueOf(run);
	item.tooltip = [title, name, run.error ?? run.summary, run.sessionKey].filter(Boolean).join("\n\n");
	item.accessibilityInformation = { label: `${title}, ${name}` };
	item.command = { command: commands.openTranscript.id, title: commands.openTranscript.title, arguments: [run.id] };
	return item;
}

function join(facts: readonly (string | null)[]): string {
	return facts.filter((fact) => fact !== null).join(" · ");
}

function describeState(run: RunView, word: string): string {
	if (run.hold === "parked") return "parked";
	return run.queuePosition === null ? word : `${word} #${run.queuePosition}`;
}

function elapsedOf(run: RunView, now: number): string | null {
	const from = run.startedAt ?? (isTerminal(run.state) ? undefined : run.queuedAt);
	return from === undefined ? null : formatDuration((run.endedAt ?? now) - from);
}

function contextValueOf(run: RunView): string {
	if (isTerminal(run.state)) return runContextValues.ended;
	return run.hold === "parked" ? runContextValues.parked : runContextValues.live;
}
