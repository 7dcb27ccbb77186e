/** A test that cannot fail proves nothing: here the same checks look at engines with one promise broken on purpose. */
import { describe, expect, it } from "vitest";
import { operations } from "../../../../src/core/store/operations.ts";
import { accept, aStore, claim, deliver, end } from "../../../fakes/aStore.ts";
import { isSoak, type KillPoint, walkKillPoints } from "./killPoints.ts";
import { Scene, says } from "./scene.ts";
import type { TwinName } from "./twins.ts";

describe("the kill points", { timeout: isSoak ? 3_600_000 : 600_000 }, () => {
	it.for<[TwinName, RegExp]>([
		["split", /an ended run has one announcement/],
		["keyless", /is ok and announced 2 times/],
	])("go red for the twin that is %s, and only between its halves", async ([twin, what]) => {
		const isRed = ({ broken }: KillPoint) => broken.length > 0;
		const points = await walkKillPoints(
			{ spawns: 1, task: "Answer", twin },
			isSoak ? {} : { first: 5, isEnough: (some) => some.some(isRed) },
		);
		const red = points.filter(isRed);
		expect(red.length).toBeGreaterThan(0);
		// After the first half and before the second is the same moment; all others are sound.
		expect(red.length).toBeLessThanOrEqual(2);
		for (const { broken } of red) expect(broken.join("\n")).toMatch(what);
	});
});

describe("the checker", () => {
	it("sees a second message when the key against it is gone, and the key refuses it", () => {
		const sql = aStore();
		accept(sql, "run_a");
		claim(sql);
		end(sql, "run_a");
		deliver(sql);
		const again = () => {
			sql.exec(`INSERT INTO entry (session_id, run_id, turn, kind, text, at)
				SELECT receiver_session_id, run_id, 0, 'announcement', 'again', 11 FROM announcement`);
		};
		expect(again).toThrow("UNIQUE constraint failed");
		sql.exec("DROP INDEX entry_announced_once");
		expect(again).toThrow("nothing is to be announced there");
		expect(operations.verifyStore(sql).ok).toBe(true);
		sql.exec("DROP TRIGGER entry_settles_announcement");
		again();
		expect(operations.verifyStore(sql).violations).toEqual([
			expect.objectContaining({ record: "run_a", detail: "delivered with 2 messages" }),
		]);
	});
});

describe("a host that was fenced while it lives", { timeout: 60_000 }, () => {
	it.for([
		{ title: "writes nothing more", twin: undefined, broken: false },
		{
			title: "would accept runs on a host that is gone, if it did not read its fence",
			twin: "fenceless",
			broken: true,
		},
	] as const)("$title", async ({ twin, broken }) => {
		const scene = new Scene();
		const host = scene.start(twin ? { twin } : {});
		await host.until(says("opened"));
		const sql = scene.open();
		const [row] = operations.listHosts(sql);
		operations.loseHost(sql, { hostId: row?.id ?? "", at: Date.now() });
		const answer = await host.spawn("Read on");
		const { violations } = operations.verifyStore(sql);
		expect(
			violations
				.map(({ invariant }) => invariant)
				.includes("no run is live on a host that is gone, unless it is parked"),
		).toBe(broken);
		// One that reads its fence is refused, or is a new host already.
		expect(answer).toMatch(broken ? /^run_/u : /^run_|has taken its runs over/u);
		host.signal("SIGKILL");
		await host.ended;
	});
});
