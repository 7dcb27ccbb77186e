import type { Problem } from "../base/errors.ts";
import type { NewHost } from "./hosts.ts";
import type { ReadOnlyReason } from "./readOnly.ts";

/** Given to the worker when it starts. */
export interface WorkerData {
	/** Holds `muster.db` and the hosts' locks; created when it is not there. */
	readonly folder: string;
	/** Null for a reader, which is no host and holds no lock. */
	readonly host: NewHost | null;
	/** Only tests set it. */
	readonly killAt?: { readonly commit: number; readonly moment: "before" | "after" };
}

export type ToWorker =
	| { readonly kind: "call"; readonly id: number; readonly name: string; readonly input: unknown }
	/** How often to look for other processes' commits. */
	| { readonly kind: "poll"; readonly pace: "busy" | "idle" }
	| { readonly kind: "isHostAlive"; readonly id: number; readonly hostId: string }
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
	/** Another process has committed something. */
	| { readonly kind: "changedElsewhere" };
