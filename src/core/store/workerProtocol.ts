import type { Problem } from "../base/errors.ts";
import type { NewHost } from "./hosts.ts";
import type { ReadOnlyReason } from "./readOnly.ts";

/** The commit at which a test ends the process: the n-th, or the first with a call of that name in it. */
export type KillAt = { readonly moment: "before" | "after" } & (
	| { readonly commit: number }
	| { readonly call: string }
);

/** Given to the worker when it starts. */
export interface WorkerData {
	/** Holds `muster.db` and the hosts' locks; created when it is not there. */
	readonly folder: string;
	/** Null for a reader, which is no host and holds no lock. */
	readonly host: NewHost | null;
	/** Holds `user.db`, which spans workspaces; without it nothing does. */
	readonly userFolder?: string;
	/** Only tests set it. */
	readonly killAt?: KillAt;
}

/** `fenced`: others took this host for dead. `newer`: a newer Muster has taken the database over. */
export type Dispossession = "fenced" | "newer";

export type ToWorker =
	| { readonly kind: "call"; readonly id: number; readonly name: string; readonly input: unknown }
	/** How often to look for other processes' commits. */
	| { readonly kind: "poll"; readonly pace: "busy" | "idle" }
	| { readonly kind: "isHostAlive"; readonly id: number; readonly hostId: string }
	/** A host that was fenced goes on as another one. */
	| { readonly kind: "register"; readonly id: number; readonly host: NewHost }
	/** Of what spans workspaces. */
	| { readonly kind: "user"; readonly id: number; readonly name: string; readonly input: unknown }
	| { readonly kind: "close" };

export type Answer =
	| { readonly id: number; readonly ok: true; readonly value: unknown }
	| { readonly id: number; readonly ok: false; readonly problem: Problem };

export type FromWorker =
	/** `warning` is what a person should hear of how it was opened. */
	| { readonly kind: "opened"; readonly readOnly: ReadOnlyReason | null; readonly warning: string | null }
	| { readonly kind: "failed"; readonly problem: Problem }
	/** All answers of one committed batch. */
	| { readonly kind: "answers"; readonly answers: readonly Answer[] }
	/** Nothing that this host executes is its own any more. */
	| { readonly kind: "dispossessed"; readonly why: Dispossession }
	/** Another process has committed something. */
	| { readonly kind: "changedElsewhere" };
