import { describe, expect, it } from "vitest";
import { isSoak, walkKillPoints } from "./killPoints.ts";
import { recover } from "./recover.ts";
import { Scene } from "./scene.ts";

describe(
	"a host that spawns three runs, lets them read a file, and announces them",
	{ timeout: isSoak ? 3_600_000 : 600_000 },
	() => {
		it("keeps every promise when nothing happens to it", async () => {
			const scene = new Scene();
			expect(await scene.start({ spawns: 3 }).ended).toBe(0);
			expect(Object.groupBy(scene.facts, ({ kind }) => kind)).toMatchObject({
				accepted: { length: 3 },
				ended: { length: 3 },
				announced: { length: 3 },
			});
			expect(await recover(scene)).toEqual([]);
		});

		it("keeps every promise when it is killed before or after a commit", async () => {
			const points = await walkKillPoints({ spawns: isSoak ? 6 : 2 }, {});
			expect(points.filter(({ broken }) => broken.length > 0)).toEqual([]);
			expect(points.filter(({ isKilled }) => isKilled).length).toBeGreaterThan(40);
		});
	},
);
