/** What the tests say to a host process, and what it says to them. */
import type { KillAt } from "../../../../src/core/store/workerProtocol.ts";
import type { TwinName } from "./twins.ts";

export interface HostOptions {
	readonly storeFolder: string;
	readonly repoFolder: string;
	readonly laneLimit: number;
	/** How many runs it spawns by itself, one after the other. When all are announced, it closes. */
	readonly spawns: number;
	/** What they do: answer at once, write a file, or, by default, read one first. */
	readonly task?: "Answer" | "Read" | "Write";
	/** Whether it takes parked runs over when it opens. */
	readonly isResuming?: boolean;
	/** Whether it waits for other hosts as long as they want. */
	readonly isPatient?: boolean;
	readonly twin?: TwinName;
	readonly killAt?: KillAt;
	/** Whether its agent writes unasked. */
	readonly edits?: "allow";
}

export type Command = { readonly kind: "spawn"; readonly task: string } | { readonly kind: "close" };

export interface EndedFact {
	readonly kind: "ended";
	readonly runId: string;
	readonly state: string;
	readonly summary: string | null;
	readonly error: string | null;
	readonly startedAt: number | null;
	readonly endedAt: number | null;
}

export type Fact =
	| { readonly kind: "opened" }
	| { readonly kind: "accepted"; readonly runId: string }
	| { readonly kind: "refused"; readonly task: string; readonly error: string }
	| { readonly kind: "started"; readonly runId: string }
	| EndedFact
	| { readonly kind: "announced"; readonly runId: string; readonly text: string }
	/** The model hangs; it was stopped while it did. */
	| { readonly kind: "hangs" | "stopped" }
	| { readonly kind: "reported"; readonly message: string };
