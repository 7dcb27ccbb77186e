import type { Resolved } from "../config/provenance.ts";

/**
 * A limit that the configuration and a setting of its own both know: `muster.agents` is over the setting, the setting over
 * the files of the user, and a repo only lowers what holds without it. Undefined where neither this process's settings nor a
 * file say anything. `own` is absent in a process without settings.
 */
export function findLimit(
	configured: Resolved<number> | undefined,
	own: (() => number | undefined) | undefined,
	toComparable: (limit: number) => number = (limit) => limit,
): number | undefined {
	const set = own?.();
	if (!configured) return set;
	const { value, provenance } = configured;
	switch (provenance.layer) {
		case "settings":
			return value;
		case "repo":
			return set !== undefined && toComparable(set) < toComparable(value) ? set : value;
		case "builtIn":
			return set ?? (own ? value : undefined);
		default:
			return set ?? value;
	}
}
