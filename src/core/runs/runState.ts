export type LiveState = "queued" | "running" | "waiting_approval" | "waiting_children";
export type TerminalState = "ok" | "partial" | "error" | "timeout" | "canceled" | "lost";
export type RunState = LiveState | TerminalState;

const ends: readonly TerminalState[] = ["ok", "partial", "error", "timeout", "canceled", "lost"];

/** What may follow each state. Nothing follows a terminal one: the first that is committed wins. */
const nextStates: Readonly<Record<RunState, readonly RunState[]>> = {
	queued: ["running", "canceled", "error"],
	running: ["waiting_approval", "waiting_children", ...ends],
	waiting_approval: ["running", ...ends],
	waiting_children: ["running", ...ends],
	ok: [],
	partial: [],
	error: [],
	timeout: [],
	canceled: [],
	lost: [],
};

export function canAdvance(from: RunState, to: RunState): boolean {
	return nextStates[from].includes(to);
}

export function isTerminal(state: RunState): state is TerminalState {
	return nextStates[state].length === 0;
}
