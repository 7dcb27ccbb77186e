import { once } from "node:events";
import type { Readable } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../../../src/core/ports/clock.ts";
import { findProcesses } from "../../../../src/core/processes/findProcesses.ts";
import { ProcessGroups, type ProcessHandle } from "../../../../src/core/processes/processGroup.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { isRunning, untilSleeping } from "./isRunning.ts";

vi.setConfig({ testTimeout: 30_000 });

const env = { PATH: process.env["PATH"] ?? "" };

function groups(graceMs = 200): ProcessGroups {
	const all = new ProcessGroups({ clock: systemClock, graceMs });
	onTestFinished(async () => void (await all.close()));
	return all;
}

function bash(all: ProcessGroups, script: string, owner = "run_1"): Promise<ProcessHandle> {
	return all.start("bash", ["-c", script], { cwd: temporaryFolder(), env, owner });
}

describe("a process that was started", () => {
	it("tells its output and how it ended", async () => {
		const handle = await bash(groups(), "echo out; echo err >&2; exit 3");
		const [out, err] = await Promise.all([readAll(handle.stdout), readAll(handle.stderr)]);
		expect([out, err, await handle.exited]).toEqual(["out\n", "err\n", { code: 3, signal: null }]);
		expect(await handle.kill()).toEqual({ wasForced: false, escaped: [] });
	});

	it("gets the environment that it was given, and a marker with its owner", async () => {
		const { stdout } = await bash(groups(), "env", "run_7");
		const lines = (await readAll(stdout)).split("\n");
		expect(lines.find((line) => line.startsWith("MUSTER_RUN="))).toMatch(/^MUSTER_RUN=run_7:\d+\.\d+$/u);
		expect(lines.some((line) => line.startsWith("HOME="))).toBe(false);
	});

	it("keeps the marker of the Muster that started ours", async () => {
		const options = { cwd: "/", env: { ...env, MUSTER_RUN: "run_0:1.1" }, owner: "run_7" };
		const { stdout } = await groups().start("bash", ["-c", "echo $MUSTER_RUN"], options);
		expect(await readAll(stdout)).toMatch(/^run_0:1\.1 run_7:\d+\.\d+\n$/u);
	});

	it("can be written to, also when it does not listen any more", async () => {
		const handle = await groups().start("head", ["-n1"], { cwd: "/", env, stdin: "pipe", owner: "run_1" });
		handle.stdin?.write("hello\n");
		expect(await readAll(handle.stdout)).toBe("hello\n");
		await handle.exited;
		handle.stdin?.write("nobody is there\n".repeat(10_000));
		await handle.kill();
	});

	it.each([
		["is not there", "/nowhere/program", "ENOENT"],
		["may not be run", "/etc/passwd", "EACCES"],
	])("is none when the program %s", async (_, program, code) => {
		const all = groups();
		await expect(all.start(program, [], { cwd: "/", env, owner: "run_1" })).rejects.toMatchObject({ code });
		expect(all.size).toBe(0);
	});
});

describe("kill", () => {
	it("ends a process with its children, gently when it listens", async () => {
		const all = groups(10_000);
		const handle = await bash(all, "trap 'echo bye; exit 0' TERM; sleep 600 & echo $!; wait");
		const child = Number(await firstLine(handle.stdout));
		const rest = readAll(handle.stdout);
		expect(await handle.kill()).toEqual({ wasForced: false, escaped: [] });
		expect([await handle.exited, await rest]).toEqual([{ code: 0, signal: null }, "bye\n"]);
		expect([isRunning(child), all.size]).toEqual([false, 0]);
	});

	it("forces what ignores the request, the leader or a child of it", async () => {
		const handle = await bash(groups(50), "trap '' TERM; echo ready; while :; do sleep 0.01; done");
		await firstLine(handle.stdout);
		expect(await handle.kill()).toEqual({ wasForced: true, escaped: [] });
		expect(await handle.exited).toEqual({ code: null, signal: "SIGKILL" });
		const parent = await bash(groups(50), "(trap '' TERM; echo $BASHPID; while :; do sleep 0.01; done) & wait");
		const child = Number(await firstLine(parent.stdout));
		expect(await parent.kill()).toEqual({ wasForced: true, escaped: [] });
		expect(isRunning(child)).toBe(false);
	});

	it("ends a process that is stopped", async () => {
		const handle = await bash(groups(10_000), "echo ready; kill -STOP $$; sleep 600");
		await firstLine(handle.stdout);
		expect((await handle.kill()).wasForced).toBe(false);
	});

	it.runIf(process.platform === "linux")(
		"finds and names what has left the group, and does not wait for its pipes",
		async () => {
			const handle = await bash(groups(), "setsid sleep 601 & echo $!; wait");
			await firstLine(handle.stdout);
			await vi.waitUntil(async () => (await sleepers("601")).length === 1, 10_000);
			const { escaped } = await handle.kill();
			expect(escaped).toEqual([{ pid: expect.any(Number), commandLine: "sleep 601" }]);
			expect(isRunning(escaped[0]?.pid ?? 0)).toBe(false);
		},
	);

	it.runIf(process.platform === "linux")(
		"ends and names what went on when the process had ended by itself",
		async () => {
			const handle = await bash(groups(), `sleep 602 & a=$!; setsid sleep 603 & ${untilSleeping("$a", "$!")}`);
			expect(await handle.exited).toEqual({ code: 0, signal: null });
			const { escaped } = await handle.kill();
			expect(escaped.map(({ commandLine }) => commandLine).toSorted()).toEqual(["sleep 602", "sleep 603"]);
			expect(escaped.some(({ pid }) => isRunning(pid))).toBe(false);
		},
	);

	it("closes the pipes that something unknown still holds", async () => {
		const handle = await bash(groups(), `env -i setsid sleep 607 & ${untilSleeping("$!")}; echo $!`);
		const unknown = Number(await firstLine(handle.stdout));
		onTestFinished(() => void process.kill(unknown, "SIGKILL"));
		handle.stdout.resume();
		const closed = once(handle.stdout, "close");
		await handle.exited;
		await handle.kill();
		await closed;
		expect(isRunning(unknown)).toBe(true);
	});

	it("ends a flood that nobody reads", async () => {
		const handle = await bash(groups(), "yes");
		await once(handle.stdout, "readable");
		expect((await handle.kill()).wasForced).toBe(false);
	});

	it("may be called again and at once, and answers the same", async () => {
		const handle = await bash(groups(), "sleep 600");
		const [one, other] = await Promise.all([handle.kill(), handle.kill()]);
		expect(one).toBe(other);
		expect(await handle.kill()).toBe(one);
	});
});

describe("killAll", () => {
	it("ends what belongs to one run, and leaves the rest", async () => {
		const all = groups();
		const mine = await Promise.all([1, 2, 3].map(() => bash(all, "sleep 600", "run_1")));
		const other = await bash(all, "sleep 600", "run_11");
		await all.killAll("run_1");
		expect(mine.map(({ pid }) => isRunning(pid))).toEqual([false, false, false]);
		expect([isRunning(other.pid), all.size]).toEqual([true, 1]);
	});

	it("ends many at once, stubborn ones and escaped ones among them, in the time of one", async () => {
		const all = groups(300);
		const handles = await Promise.all(
			Array.from({ length: 30 }, (_, index) => {
				const way =
					["sleep 600", "trap '' TERM; sleep 600; sleep 600", "setsid sleep 604 & sleep 600"][index % 3] ?? "";
				return bash(all, `echo ready; ${way}`);
			}),
		);
		await Promise.all(handles.map(({ stdout }) => firstLine(stdout)));
		await vi.waitUntil(async () => (await sleepers("604")).length === 10, 10_000);
		const { wasForced, escaped } = await all.close();
		expect(wasForced).toBe(true);
		expect(escaped).toHaveLength(process.platform === "linux" ? 10 : 0);
		expect(handles.filter(({ pid }) => isRunning(pid))).toEqual([]);
		expect(await sleepers("604")).toEqual([]);
		expect(all.size).toBe(0);
	});

	it("lets nothing start after close", async () => {
		const all = groups();
		await all.close();
		await expect(bash(all, "true")).rejects.toThrow("closing");
	});
});

async function sleepers(seconds: string): Promise<readonly number[]> {
	const all = await findProcesses({ markers: allMarkers() });
	return all.filter(({ commandLine }) => commandLine === `sleep ${seconds}`).map(({ pid }) => pid);
}

/** Those that this process may have given away. */
function allMarkers(): ReadonlySet<string> {
	return new Set(Array.from({ length: 2_000 }, (_, count) => `run_1:${process.pid}.${count}`));
}

async function readAll(stream: Readable): Promise<string> {
	let text = "";
	for await (const chunk of stream) text += String(chunk);
	return text;
}

/** Leaves the rest in the stream. */
function firstLine(stream: Readable): Promise<string> {
	return new Promise((resolve) => {
		const look = () => {
			const bytes = stream.read() as Buffer | null;
			if (bytes === null) return;
			stream.off("readable", look);
			resolve(String(bytes));
		};
		stream.on("readable", look);
	});
}
