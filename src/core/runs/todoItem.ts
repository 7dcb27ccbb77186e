/** A step of a main agent's list, or of a subagent's own. */
export interface TodoItem {
	readonly id: string;
	readonly content: string;
	/** `blocked`: the subagent that was to do it has ended without doing it. */
	readonly status: "pending" | "in_progress" | "completed" | "blocked";
}
