import { recover } from "./recover.ts";
import { Scene } from "./scene.ts";
import type { KillAt } from "../../../../src/core/store/workerProtocol.ts";
import type { HostOptions } from "./faultFacts.ts";

/** `npm run soak` takes a longer scene and many more kills. */
export const isSoak = process.env["MUSTER_SOAK"] === "1";
/** How many processes are killed at random, on each of the stores. */
export const randomKills = isSoak ? Number(process.env["MUSTER_SOAK_KILLS"] ?? 60) : 20;

export interface KillPoint {
	/** E.g. `before commit 7`. */
	readonly name: string;
	/** Whether it was reached; else the host had ended before. */
	readonly isKilled: boolean;
	readonly broken: readonly string[];
}

/**
 * Lets a host do its work once for each of its commits, kills it there, before the commit and after it, and recovers what
 * it left, until a host gets through unharmed or `isEnough`.
 */
export async function walkKillPoints(
	options: Partial<HostOptions>,
	{ first = 1, isEnough = (_points: readonly KillPoint[]) => false },
): Promise<KillPoint[]> {
	const points: KillPoint[] = [];
	for (let commit = first; ; commit++) {
		const both = await Promise.all([
			tryPoint(options, { commit, moment: "before" }),
			tryPoint(options, { commit, moment: "after" }),
		]);
		points.push(...both);
		if (isEnough(points) || both.every(({ isKilled }) => !isKilled)) return points;
	}
}

async function tryPoint(
	options: Partial<HostOptions>,
	killAt: KillAt & { readonly commit: number },
): Promise<KillPoint> {
	const scene = new Scene();
	const signal = await scene.start({ ...options, killAt }).ended;
	if (signal !== "SIGKILL" && signal !== 0) throw new Error(`The host failed: ${JSON.stringify(scene.facts)}`);
	const broken = await recover(scene);
	return { name: `${killAt.moment} commit ${killAt.commit}`, isKilled: signal === "SIGKILL", broken };
}
