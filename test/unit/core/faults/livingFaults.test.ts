import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { RunView } from "../../../../src/core/engine/runRegistry.ts";
import { GroupCommit } from "../../../../src/core/store/groupCommit.ts";
import { isHostAlive } from "../../../../src/core/store/hostLock.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { migrations } from "../../../../src/core/store/schema.ts";
import type { Sql } from "../../../../src/core/store/sql.ts";
import type { Answer } from "../../../../src/core/store/workerProtocol.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { accept, anAcceptance, aStore } from "../../../fakes/aStore.ts";
import { TaskModel } from "../../../fakes/taskModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { countHandovers, findUnfairStarts } from "./laneOrder.ts";
import { recover } from "./recover.ts";
import { goesOn, Scene, says } from "./scene.ts";

function count(sql: Sql): unknown {
	return sql.get(
		"SELECT (SELECT count(*) FROM run) AS runs, (SELECT count(*) FROM entry) AS entries, (SELECT count(*) FROM event) AS events",
	);
}

/** Takes a host's runs over as somebody does who thinks that it is dead. */
function fence(sql: Sql): void {
	const [host] = operations.listHosts(sql);
	sql.exec("BEGIN IMMEDIATE");
	operations.loseHost(sql, { hostId: host?.id ?? "", at: Date.now() });
	sql.exec("COMMIT");
}

describe("a host that is stopped in the middle of its work", { timeout: 60_000 }, () => {
	it("keeps what it executes and its place, holds nobody up for long, and goes on afterwards", async () => {
		const scene = new Scene();
		const host = scene.start({ laneLimit: 1 });
		await host.until(says("opened"));
		const executing = await host.spawn("Hang");
		const queued = await host.spawn("Read later");
		await host.until(says("hangs"));
		host.signal("SIGSTOP");

		const { repoFolder, storeFolder } = scene;
		// Opening looks after every other host, and so does everything that is heard of meanwhile.
		const runtime = await aRuntime(new TaskModel(), { repoFolder, storeFolder, laneLimit: () => 2 });
		const answer = await runtime.spawn({ agent: "scout", task: "Read now" });
		if (!answer.accepted) throw new Error(answer.error);
		expect(await untilRun(runtime, answer.runId, hasEnded)).toMatchObject({ state: "ok" });
		expect(runtime.runs.get(executing)).toMatchObject({ state: "running", hold: null });
		expect(runtime.runs.get(queued)).toMatchObject({ state: "queued", hold: null });

		host.signal("SIGCONT");
		expect(await untilRun(runtime, queued, hasEnded)).toMatchObject({ state: "ok" });
		await runtime.stop(executing);
		expect(await untilRun(runtime, executing, hasEnded)).toMatchObject({ state: "canceled" });
		await host.until(says("announced", executing));
		await host.close();
		await runtime.close();
		expect(await recover(scene)).toEqual([]);
	});
});

describe("a host that somebody has fenced while it lives", { timeout: 60_000 }, () => {
	it("stops what it executes, writes nothing more of it, and goes on as a new host", async () => {
		const scene = new Scene();
		const host = scene.start({});
		await host.until(says("opened"));
		const runId = await host.spawn("Hang");
		await host.until(says("hangs"));
		const sql = scene.open();
		const [{ id: fenced } = { id: "" }] = operations.listHosts(sql);
		fence(sql);
		const { sessionId = "" } = operations.getRun(sql, { runId }) ?? {};
		const told = () => operations.readEntries(sql, { sessionId, after: 0, limit: 100 });
		const before = told();
		await host.until(says("stopped"));
		await expect.poll(() => operations.listHosts(sql)).toHaveLength(1);
		expect(operations.listHosts(sql)[0]?.id).not.toBe(fenced);
		await goesOn(host);
		expect(operations.getRun(sql, { runId })).toMatchObject({ state: "lost" });
		expect(told()).toEqual(before);
		await host.close();
		expect(await recover(scene)).toEqual([]);
	});

	it("takes no run any more under its old name", () => {
		const sql = aStore();
		accept(sql, "run_a");
		fence(sql);
		expect(() => accept(sql, "run_b")).toThrow("has taken its runs over");
		expect(() => operations.unparkRuns(sql, { hostId: "hst_1" })).toThrow("has taken its runs over");
		expect(operations.getRun(sql, { runId: "run_a" })).toMatchObject({ hold: "parked" });
	});

	it("has every call of a group refused, those that only read too", () => {
		const folder = temporaryFolder();
		const sql = aStore(folder);
		fence(sql);
		const before = count(sql);
		const answers: Answer[] = [];
		const commits = new GroupCommit(sql, {
			folder,
			readOnly: null,
			hostId: "hst_1",
			answer: (group) => answers.push(...group),
		});
		commits.add({ kind: "call", id: 1, name: "listRuns", input: { limit: 10 } });
		commits.add({ kind: "call", id: 2, name: "acceptRun", input: anAcceptance("run_a") });
		commits.add({ kind: "call", id: 3, name: "claimRuns", input: { hostId: "hst_1", passOver: [], at: 2 } });
		commits.flush();
		expect(answers.map((answer) => (answer.ok ? "done" : answer.problem.code))).toEqual([
			"store.fenced",
			"store.fenced",
			"store.fenced",
		]);
		expect(count(sql)).toEqual(before);
	});
});

describe("a host whose lock is taken away while it lives", { timeout: 60_000 }, () => {
	it("is taken for dead, stops what it executes, and goes on as a new host with a lock of its own", async () => {
		const scene = new Scene();
		const host = scene.start({});
		await host.until(says("opened"));
		const executing = await host.spawn("Hang");
		await host.until(says("hangs"));
		const { repoFolder, storeFolder } = scene;
		const [{ id: first } = { id: "" }] = operations.listHosts(scene.open());
		rmSync(path.join(storeFolder, "hosts", `${first}.lock`));

		const runtime = await aRuntime(new TaskModel(), { repoFolder, storeFolder, laneLimit: () => 2 });
		expect(runtime.runs.get(executing)).toMatchObject({ state: "lost" });
		await host.until(says("stopped"));
		const again = await goesOn(host);
		expect(await untilRun(runtime, again, hasEnded)).toMatchObject({ state: "ok" });
		expect(isHostAlive(storeFolder, runtime.runs.get(again)?.hostId ?? "")).toBe(true);
		await host.close();
		await runtime.close();
		expect(await recover(scene)).toEqual([]);
	});
});

describe("a host whose store a newer Muster takes over while it works", { timeout: 60_000 }, () => {
	it("stops what it executes, writes nothing any more, lets go of its lock, and still shows what there is", async () => {
		const scene = new Scene();
		const host = scene.start({});
		await host.until(says("opened"));
		await host.spawn("Hang");
		await host.until(says("hangs"));
		const sql = scene.open();
		const [{ id: hostId } = { id: "" }] = operations.listHosts(sql);
		const before = count(sql);
		sql.exec(`PRAGMA user_version = ${migrations.length + 1}`);
		await host.until(says("stopped"));
		expect(await host.spawn("Read on")).toContain("A newer version of Muster has written this workspace's runs");
		await expect.poll(() => isHostAlive(scene.storeFolder, hostId)).toBe(false);
		expect(count(sql)).toEqual(before);

		// What the newer one commits from then on is shown.
		const shown = host.facts.length;
		sql.exec("BEGIN IMMEDIATE");
		operations.loseHost(sql, { hostId, at: Date.now() });
		sql.exec("COMMIT");
		await host.until((facts) => facts.slice(shown).some((fact) => fact.kind === "ended" && fact.state === "lost"));
		await host.close();
		sql.exec(`PRAGMA user_version = ${migrations.length}`);
		expect(await recover(scene)).toEqual([]);
	});
});

describe("a host that dies between an end and its announcement", { timeout: 60_000 }, () => {
	it("has it announced by a host that lives", async () => {
		const scene = new Scene();
		const { repoFolder, storeFolder } = scene;
		const runtime = await aRuntime(new TaskModel(), { repoFolder, storeFolder, laneLimit: () => 2 });
		const announced = new Promise<string>((resolve) => runtime.onDidAnnounce(({ run }) => resolve(run.id)));
		const host = scene.start({});
		await host.until(says("opened"));
		const runId = await host.spawn("Hang");
		await host.until(says("hangs"));
		const sql = scene.open();
		host.signal("SIGSTOP");
		// Its end, as its last commit before it died.
		sql.exec("BEGIN IMMEDIATE");
		const usage = operations.getRun(sql, { runId })?.usage;
		if (!usage) throw new Error("There is no such run");
		operations.endRun(sql, { runId, state: "ok", at: Date.now(), usage, summary: "Hung.", error: null });
		sql.exec("COMMIT");
		host.signal("SIGKILL");
		await host.ended;
		expect(await announced).toBe(runId);
		await runtime.close();
		expect(await recover(scene)).toEqual([]);
	});
});

describe("the lane", { timeout: 120_000 }, () => {
	it("starts the runs of two hosts in turn as they were accepted", async () => {
		const scene = new Scene();
		const hosts = [scene.start({ isPatient: true }), scene.start({ isPatient: true })] as const;
		for (const host of hosts) await host.until(says("opened"));
		const ids: string[] = [];
		for (let index = 0; index < 24; index++) {
			for (const host of hosts) ids.push(await host.spawn(`Read ${index}`));
		}
		const settled = () => new Set(scene.facts.flatMap((fact) => (fact.kind === "announced" ? [fact.runId] : [])));
		const all = () => ids.every((id) => settled().has(id));
		await Promise.race(hosts.map((host) => host.until(all)));
		for (const host of hosts) await host.close();
		const sql = scene.open();
		expect(countHandovers(sql)).toBeGreaterThanOrEqual(20);
		expect(findUnfairStarts(sql, 2)).toEqual([]);
		expect(await recover(scene)).toEqual([]);
	});

	it("brings a thousand runs of one burst to their end, in order, eight at a time, each announced once", async () => {
		const scene = new Scene();
		const { repoFolder, storeFolder } = scene;
		const runtime = await aRuntime(new TaskModel(), { repoFolder, storeFolder });
		const left = new Set<string>();
		let most = 0;
		const done = new Promise<void>((resolve) => {
			runtime.onDidAnnounce(({ run }) => {
				left.delete(run.id);
				if (left.size === 0) resolve();
			});
		});
		runtime.runs.onDidChange(() => (most = Math.max(most, runtime.runs.list().filter(isRunning).length)));
		const answers = await Promise.all(
			Array.from({ length: 1_000 }, (_, index) => runtime.spawn({ agent: "scout", task: `Answer ${index}` })),
		);
		for (const answer of answers) if (answer.accepted) left.add(answer.runId);
		expect(left.size).toBe(1_000);
		await done;
		await runtime.close();
		expect(most).toBe(8);
		expect(findUnfairStarts(scene.open(), 8)).toEqual([]);
		expect(await recover(scene)).toEqual([]);
	});
});

function isRunning({ state }: RunView): boolean {
	return state === "running";
}
