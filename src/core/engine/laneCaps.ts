import type { ResolvedDefaults } from "../config/mergeDefaults.ts";
import type { Clock } from "../ports/clock.ts";
import type { Lane } from "../runs/run.ts";
import type { Database } from "../store/database.ts";
import { findLimit } from "./findLimit.ts";

export interface LaneCapsOptions {
	readonly clock: Clock;
	readonly database: Database;
	/** How many subagents run at once, where this process has settings; undefined where they don't say. */
	laneLimit?(): number | undefined;
	/** How many turns of main agents run at once, where this process has a say in it. */
	mainLaneLimit?(): number | undefined;
}

/** Writes what this process is configured with; every claim, of whatever process, reads it. */
export class LaneCaps {
	readonly #options: LaneCapsOptions;
	#written = "";

	constructor(options: LaneCapsOptions) {
		this.#options = options;
	}

	/** Where another process may have written something else since. */
	async write(defaults: ResolvedDefaults): Promise<void> {
		const { database, clock } = this.#options;
		const { lanes, roles } = this.#read(defaults);
		this.#written = JSON.stringify({ lanes, roles });
		for (const [lane, cap] of lanes) {
			if (cap !== undefined) await database.call("setLaneCap", { lane, cap, at: clock.now() });
		}
		if (roles) await database.call("setRoleCaps", { caps: roles });
	}

	/** What has changed here, so that a file that was edited holds from the next run on. */
	async update(defaults: ResolvedDefaults): Promise<void> {
		const now = JSON.stringify(this.#read(defaults));
		if (now !== this.#written) await this.write(defaults);
	}

	#read({ maxConcurrent, roleMaxConcurrent }: ResolvedDefaults) {
		const options = this.#options;
		const own = options.laneLimit && (() => options.laneLimit?.());
		const lanes: readonly [Lane, number | undefined][] = [
			["subagent", findLimit(maxConcurrent, own)],
			["main", options.mainLaneLimit?.()],
		];
		// Who has no settings does not know what they say of roles.
		const roles = roleMaxConcurrent?.value ?? (own ? {} : undefined);
		return { lanes, roles };
	}
}
