import type { ModelError } from "./modelPort.ts";

/** One answer of the demo model, before it is streamed. */
export interface DemoTurn {
	readonly text: string;
	readonly reasoning?: string;
	readonly calls?: readonly DemoCall[];
	/** Between two words; else the pace decides. */
	readonly chunkDelayMs?: number;
	/** Comes after the text, and ends the answer. */
	readonly error?: ModelError;
	/** Goes on, after the text, until it is aborted. */
	readonly hangs?: boolean;
}

export interface DemoCall {
	readonly tool: string;
	/** JSON. */
	readonly input: unknown;
}
