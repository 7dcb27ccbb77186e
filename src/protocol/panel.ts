/**
 * Everything that crosses `postMessage` between the ops panel and the extension host.
 *
 * The host checks what the panel sends, because a webview is a browser page and not a colleague. The panel trusts the
 * host and imports only the types of what it receives.
 */
import * as z from "zod/mini";

/** A lookup key, never a path. */
const RunId = z.string().check(z.regex(/^run_[0-9a-z]{8,40}$/));
const version = { v: z.literal(1) };

export const PanelToHost = z.discriminatedUnion("type", [
	/** The page is there (again): the host answers with a snapshot, and sends nothing before. */
	z.strictObject({ ...version, type: z.literal("ready") }),
	z.strictObject({ ...version, type: z.literal("run.stop"), runId: RunId }),
	z.strictObject({ ...version, type: z.literal("run.openTranscript"), runId: RunId }),
	z.strictObject({ ...version, type: z.literal("spawn") }),
]);
export type PanelToHost = z.infer<typeof PanelToHost>;

/** Inbound limits; more than this is dropped and counted. */
export const panelLimits = { messageCharacters: 65_536, messagesPerSecond: 50 } as const;

export type RunState =
	| "queued"
	| "running"
	| "waiting_approval"
	| "waiting_children"
	| "ok"
	| "partial"
	| "error"
	| "timeout"
	| "canceled"
	| "lost";

export interface RunRow {
	readonly runId: string;
	/** The label, else the first line of the task. */
	readonly title: string;
	readonly agent: string;
	/** As people see it; the demo model says "Demo". */
	readonly model: string;
	readonly lane: string;
	readonly state: RunState;
	/** 1-based place in its lane while queued, else null. */
	readonly queuePosition: number | null;
	readonly queuedAt: number;
	readonly startedAt: number | null;
	readonly endedAt: number | null;
	/** What it is doing now, e.g. `read_file src/cart.ts`; null unless running. */
	readonly activity: string | null;
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** null = price not known. */
	readonly usd: number | null;
	readonly isEstimate: boolean;
	/** What it may use up and what of that is used, e.g. `3 of 10 turns`; null = nothing is limited. */
	readonly budget: string | null;
	/** How it ended, in one line: the summary, or the error; null while it lives. */
	readonly result: string | null;
	/** The workspace folder, when the window has several. */
	readonly folder: string | null;
}

/** Host → panel. `revision` grows by one with each message; on a gap the panel says `ready` again and gets a snapshot. */
export type HostToPanel =
	| {
			readonly type: "snapshot";
			readonly revision: number;
			readonly runs: readonly RunRow[];
			/** Why there is nothing to see or do (untrusted workspace, no node:sqlite, …), or null. */
			readonly notice: string | null;
			/** The host's clock when this was sent, so that elapsed times do not depend on the browser's. */
			readonly now: number;
	  }
	| {
			readonly type: "runs";
			readonly revision: number;
			readonly upsert: readonly RunRow[];
			readonly remove: readonly string[];
	  };
