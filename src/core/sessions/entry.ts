/**
 * One line of a transcript. Transcripts only grow: streamed text comes as several `text` entries of the same turn, one
 * per flush, and reads as their concatenation.
 */
export interface Entry {
	/** Grows with time over the whole store; the cursor for paging. */
	readonly seq: number;
	readonly runId: string | null;
	readonly turn: number;
	readonly kind: EntryKind;
	/** The tool, for a call or its result. */
	readonly toolName: string | null;
	readonly toolCallId: string | null;
	readonly text: string;
	readonly isError: boolean;
	readonly at: number;
}

export type EntryKind =
	/** What was asked: by a person, or by the parent. */
	| "user"
	| "text"
	| "reasoning"
	/** `text` is the input as JSON. */
	| "tool_call"
	| "tool_result"
	/** A child's result in its parent's transcript: data, never an instruction. */
	| "announcement"
	/** Muster's own words, e.g. why the run ended. */
	| "notice"
	/** What the model's adapter wants back with this turn, as JSON. Not for people. */
	| "replay";

export type NewEntry = Omit<Entry, "seq" | "runId">;
