import { describe, expect, it } from "vitest";
import { isSoak, randomKills } from "./killPoints.ts";
import { recover } from "./recover.ts";
import { Scene } from "./scene.ts";

/** Mulberry32: the same kills on every run. */
function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Each host is killed right after a random one of the facts that it tells; the others meanwhile go on. */
async function killAtRandom(scene: Scene, processes: number, random: () => number): Promise<number> {
	const hosts = Array.from({ length: processes }, () => ({
		host: scene.start({ spawns: 1_000, laneLimit: 3, isResuming: true }),
		after: 1 + Math.floor(random() * 40),
	}));
	const signals = await Promise.all(
		hosts.map(async ({ host, after }) => {
			await host.until((facts) => facts.length >= after);
			host.signal("SIGKILL");
			return host.ended;
		}),
	);
	return signals.filter((signal) => signal === "SIGKILL").length;
}

describe("hosts that are killed at random in the middle of a burst", { timeout: isSoak ? 3_600_000 : 600_000 }, () => {
	it.for([
		{ processes: 2, seed: 2 },
		{ processes: 3, seed: 3 },
	])("keep every promise on a store of $processes processes", async ({ processes, seed }) => {
		const rounds = Math.ceil(randomKills / processes);
		const random = createRandom(seed);
		const scene = new Scene();
		let kills = 0;
		for (let round = 0; round < rounds; round++) kills += await killAtRandom(scene, processes, random);
		expect(kills).toBe(processes * rounds);
		expect(await recover(scene)).toEqual([]);
		expect(scene.facts.filter(({ kind }) => kind === "reported" || kind === "refused")).toEqual([]);
	});
});
