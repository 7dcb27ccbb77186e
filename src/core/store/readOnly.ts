import type { NewHost } from "./hosts.ts";

/** Why a store is only shown here. */
export type ReadOnlyReason =
	/** A newer Muster has written it. */
	| { readonly kind: "newer" }
	/** It is an older Muster's, and a process of that one works with it: its shape cannot change now. */
	| { readonly kind: "held"; readonly holder: Pick<NewHost, "pid" | "kind"> };

const holders: Readonly<Record<NewHost["kind"], string>> = {
	window: "a window of VS Code",
	cli: "a muster command in a terminal",
	worker: "a background worker",
};

/** Names a process to a person who has to find and end it. */
export function describeHolder({ pid, kind }: Pick<NewHost, "pid" | "kind">): string {
	return `${holders[kind]} (process ${pid})`;
}

/** What a person reads who wants to change something. */
export function explainReadOnly(reason: ReadOnlyReason): string {
	if (reason.kind === "newer") {
		return "A newer version of Muster has written this workspace's runs. Update Muster to run or change anything here; what has run can still be read.";
	}
	return `An older version of Muster still works with this workspace's runs: ${describeHolder(reason.holder)}. Close it, then reload this window or call again; until then what has run can only be read.`;
}
