/** Whose keys the requests of a run carry: those of the first agent that has one, then the user's own where they may. */
export interface KeyChain {
	readonly agents: readonly string[];
	readonly isShared: boolean;
}

export const usersKeys: KeyChain = { agents: [], isShared: true };

interface KeyUser {
	readonly name: string;
	/** Only of a static agent. */
	readonly configured?: { readonly isRestricted: boolean; readonly authFallback?: "parent" | "none" };
}

/**
 * A static agent has keys of its own, and without one those of who spawned it, unless its `authFallback` is `none`. An
 * agent that is a file has those of who spawned it.
 */
export function keyChain({ name, configured }: KeyUser, spawner: KeyChain): KeyChain {
	if (!configured) return spawner;
	const fallback = configured.authFallback ?? (configured.isRestricted ? "none" : "parent");
	if (fallback === "none") return { agents: [name], isShared: false };
	return { agents: [...new Set([name, ...spawner.agents])], isShared: spawner.isShared };
}
