import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { messageOf } from "../../../../../src/core/base/errors.ts";
import { shell } from "../../../../../src/core/tools/builtin/shell.ts";
import { temporaryFolder } from "../../../../fakes/temporaryFolder.ts";
import { isRunning, untilSleeping } from "../../processes/isRunning.ts";
import { aRunsServices, execute } from "../execute.ts";

vi.setConfig({ testTimeout: 30_000 });
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** `npm run soak` lets it go on for longer. */
const floodSeconds = process.env["MUSTER_SOAK"] === "1" ? 30 : 3;

const { signal } = new AbortController();

const run = (command: string, fields: Record<string, unknown> = {}, root = temporaryFolder()) =>
	execute(shell, root, { command, ...fields });

describe("shell", () => {
	it("gives the output in order, errors among it, and the exit code", async () => {
		expect(await run("echo one; echo two >&2; echo three")).toEqual({
			text: "one\ntwo\nthree\n\n[Exit code 0.]",
			isError: false,
		});
		expect(await run("echo oh >&2; exit 3")).toEqual({ text: "oh\n\n[Exit code 3.]", isError: true });
		expect(await run("true")).toEqual({ text: "[Exit code 0.]", isError: false });
		expect((await run("kill -9 $$")).text).toBe("[Ended by SIGKILL.]");
	});

	it("runs in the workspace folder, without input, and gives bash the command byte for byte", async () => {
		const root = temporaryFolder({ "ü 🎉": "" });
		const command = `pwd; ls; cat; printf '%s|' "$0" $# 'a"b' \\$x\nif true\nthen echo "it's"; fi # end`;
		const { text } = await run(command, {}, root);
		expect(text).toBe(`${root}\nü 🎉\nbash|0|a"b|$x|it's\n\n[Exit code 0.]`);
	});

	it("gets the environment of the run and nothing else", async () => {
		const services = aRunsServices({ env: { PATH: process.env["PATH"] ?? "", SEEN: "yes" } });
		vi.stubEnv("MUSTER_CANARY", "secret");
		const { text } = await execute(shell, temporaryFolder(), { command: "env" }, signal, services);
		vi.unstubAllEnvs();
		expect(text).toContain("SEEN=yes");
		expect(text).not.toContain("CANARY");
	});

	it("takes colours and other control characters out", async () => {
		const { text } = await run(String.raw`printf '\033[31mred\033[0m\r\n\000\007 tab\t.'`);
		expect(text).toBe("red\n\uFFFD\uFFFD tab\t.\n[Exit code 0.]");
	});

	it("leaves out the middle of a long output, and no part of a character", async () => {
		const { text } = await run("echo first; for i in {1..3000}; do echo 'größe 🎉 日本語'; done; echo last");
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024);
		expect(text).toMatch(/^first\n/u);
		expect(text).toMatch(/\nlast\n\n\[Exit code 0\.\]$/u);
		expect(text).toMatch(/\n\n\[… \d+ bytes left out …\]\n\n/u);
		expect(text).not.toContain("\uFFFD");
	});

	it("shows the very end of an output that was slowed down", async () => {
		const { text } = await run("head -c 14000000 /dev/zero | tr '\\0' x; echo; echo last");
		expect(text).toMatch(/x\nlast\n\n\[Exit code 0\.\]$/u);
	});

	it(
		"stops a flood at its time limit, while memory stays flat and everything else goes on",
		{ timeout: 90_000 },
		async () => {
			const before = keptBytes();
			const cpu = process.cpuUsage();
			let ticks = 0;
			let most = 0;
			const timer = setInterval(() => {
				if (++ticks % 50 === 0) most = Math.max(most, keptBytes());
			}, 10);
			const { text, isError } = await run("yes", { timeout_seconds: floodSeconds });
			clearInterval(timer);
			const { user, system } = process.cpuUsage(cpu);
			expect(isError).toBe(true);
			expect(text).toMatch(/^y\ny\n/u);
			expect(text).toContain(`[Stopped after ${floodSeconds} seconds, with all that it started.`);
			expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024);
			expect(ticks).toBeGreaterThan(20 * floodSeconds);
			expect(most).toBeGreaterThan(0);
			// More than twice as much came in.
			expect(most - before).toBeLessThan(25 * 1024 * 1024);
			expect((user + system) / 1_000_000).toBeLessThan((2 / 3) * floodSeconds);
		},
	);

	it("ends what ignores the request to end", async () => {
		const { text } = await run("trap '' TERM; echo $$; while :; do sleep 0.05; done", { timeout_seconds: 1 });
		expect(text).toContain("[Stopped after 1 seconds");
		expect(isRunning(Number(text.split("\n")[0]))).toBe(false);
	});

	it.runIf(process.platform === "linux")(
		"does not wait for what a command leaves behind, but ends and names it",
		async () => {
			const { text, isError } = await run(
				`sleep 605 & a=$!; setsid sleep 606 & ${untilSleeping("$a", "$!")}; echo done`,
			);
			expect(isError).toBe(false);
			expect(text).toMatch(/^done\n\n\[Exit code 0\. It left processes behind, and they were ended too: /u);
			expect(text).toMatch(/\d+ \(sleep 605\)/u);
			expect(text).toMatch(/\d+ \(sleep 606\)/u);
		},
	);

	it("ends with all that it started when it is aborted", async () => {
		const root = temporaryFolder();
		const controller = new AbortController();
		const input = { command: "sleep 600 & echo $! > pid.new && mv pid.new pid; wait" };
		const outcome = execute(shell, root, input, controller.signal).catch(messageOf);
		await vi.waitUntil(() => existsSync(join(root, "pid")), 10_000);
		controller.abort();
		expect(await outcome).toContain("aborted");
		expect(isRunning(Number(readFileSync(join(root, "pid"), "utf8")))).toBe(false);
	});

	it("takes a command up to the size that the system takes", async () => {
		expect((await run(`: ${"x".repeat(131_069)}`)).text).toBe("[Exit code 0.]");
		expect(await run(`: ${"x".repeat(131_070)}`)).toEqual({
			text: expect.stringContaining("The command has 131072 bytes; at most 131071 can be run."),
			isError: true,
		});
	});

	it("says what is missing: bash, or a folder", async () => {
		const services = aRunsServices({ env: { PATH: "/nowhere" } });
		expect((await execute(shell, temporaryFolder(), { command: "ls" }, signal, services)).text).toContain(
			"bash was not found",
		);
		expect((await execute(shell, "", { command: "ls" })).text).toContain("No folder is open");
	});

	it.each([[{ command: "" }], [{ command: "ls", timeout_seconds: 601 }], [{ command: "ls", timeout_seconds: 0 }]])(
		"cannot use %j",
		(input) => {
			expect(shell.prepare(input)).toMatchObject({ ok: false });
		},
	);

	it("runs many at once", async () => {
		const results = await Promise.all(Array.from({ length: 20 }, (_, n) => run(`echo ${n}`)));
		expect(results.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, n) => `${n}\n\n[Exit code 0.]`));
	});
});

/** What is not garbage. */
function keptBytes(): number {
	collectGarbage();
	// The second finishes what the first has left to the background.
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}
