import { describe, expect, it, vi } from "vitest";
import { shellKill, shellStart, shellStatus } from "../../../../../src/core/tools/builtin/backgroundShell.ts";
import type { ToolResult } from "../../../../../src/core/tools/tool.ts";
import type { ToolServices } from "../../../../../src/core/tools/toolServices.ts";
import { temporaryFolder, withFiles } from "../../../../fakes/temporaryFolder.ts";
import { isRunning } from "../../processes/isRunning.ts";
import { aRunsServices, execute } from "../execute.ts";

vi.setConfig({ testTimeout: 30_000 });

const { signal } = new AbortController();

function aRun(services: ToolServices = aRunsServices()) {
	const root = temporaryFolder();
	const call = (tool: typeof shellStart, input: Record<string, unknown>) =>
		execute(tool, root, input, signal, services);
	return {
		root,
		services,
		start: (command: string) => call(shellStart, { command }),
		status: (id: string, offset?: number) => call(shellStatus, { id, ...(offset !== undefined && { offset }) }),
		kill: (id: string) => call(shellKill, { id }),
	};
}

describe("a command in the background", () => {
	it("goes on while its output is read bit by bit, and tells how it ended", async () => {
		const { root, start, status } = aRun();
		expect((await start("echo one; until [ -e go ]; do sleep 0.01; done; echo two; exit 4")).text).toContain(
			"Started as shell-1.",
		);
		await eventually(
			() => status("shell-1", 0),
			"one\n\n[shell-1: Still running. Output up to byte 4. Go on with offset 4.]",
		);
		withFiles(root, { go: "" });
		await eventually(
			() => status("shell-1", 4),
			"two\n\n[shell-1: Exit code 4. Output up to byte 8. Go on with offset 8.]",
		);
		expect((await status("shell-1", 0)).text).toMatch(/^one\ntwo\n/u);
		expect((await status("shell-1", 99)).text).toBe(
			"[shell-1: Exit code 4. Output up to byte 8. Go on with offset 8.]",
		);
	});

	it("goes on from where the last answer ended", async () => {
		const { start, status } = aRun();
		await start("echo one; sleep 600");
		await eventually(() => status("shell-1"), /^one\n/u);
		expect((await status("shell-1")).text).toMatch(/^\[shell-1: Still running/u);
	});

	it("gives a long output page by page, without a byte lost or a character cut", async () => {
		const { start, status } = aRun();
		await start('for i in {1..6000}; do echo "größe 🎉 $i"; done');
		await eventually(() => status("shell-1", 200_000), /Exit code 0/u);
		let text = "";
		for (let offset = 0, next = -1; next !== offset;) {
			offset = Math.max(0, next);
			const page = (await status("shell-1", offset)).text;
			expect(Buffer.byteLength(page)).toBeLessThanOrEqual(32 * 1024);
			next = Number(/offset (\d+)\.\]$/u.exec(page)?.[1]);
			text += page.replace(/\n?\[shell-1: [^\n]*$/u, "");
		}
		expect(text).toBe(Array.from({ length: 6_000 }, (_, n) => `größe 🎉 ${n + 1}\n`).join(""));
	});

	it("keeps the first and the last of an endless output, and says what is missing", async () => {
		const { start, status, kill } = aRun();
		await start("yes");
		await eventually(() => status("shell-1", 0), / (?:[3-9]\d{6}|\d{8,}) bytes more/u);
		expect((await kill("shell-1")).text).toContain("Ended by SIGTERM");
		expect((await status("shell-1", 0)).text).toMatch(/^y\ny\n/u);
		expect((await status("shell-1", 300_000)).text).toMatch(/^\[\d+ bytes before this are not kept\.\]\ny?\n?y\n/u);
	});

	it("ends when it is told to, with its children, also twice", async () => {
		const { start, status, kill } = aRun();
		await start("sleep 600 & echo $!; wait");
		await eventually(() => status("shell-1", 0), /^\d+\n/u);
		const child = Number((await status("shell-1", 0)).text.split("\n")[0]);
		expect((await kill("shell-1")).text).toContain("Ended by SIGTERM");
		expect(isRunning(child)).toBe(false);
		expect((await kill("shell-1")).text).toContain("Ended by SIGTERM");
	});

	it("ends with its run", async () => {
		const { services, start, status } = aRun();
		await start("echo $$; sleep 600");
		await eventually(() => status("shell-1", 0), /^\d+\n/u);
		const pid = Number((await status("shell-1", 0)).text.split("\n")[0]);
		await services.processes.killAll(services.runId);
		expect(isRunning(pid)).toBe(false);
		await eventually(() => status("shell-1"), /Ended by SIGTERM/u);
	});

	it("is one of at most 8, however many are started at once; ended ones do not count", async () => {
		const { start, kill } = aRun();
		const results = await Promise.all(Array.from({ length: 10 }, () => start("sleep 600")));
		expect(results.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([
			"8 commands run already. End one with shell_kill first.",
			"8 commands run already. End one with shell_kill first.",
		]);
		await kill("shell-1");
		expect((await start("true")).isError).toBe(false);
	});

	it("is known to its own run only", async () => {
		const { start } = aRun();
		await start("sleep 600");
		const { status, kill } = aRun();
		expect((await status("shell-1")).text).toBe(
			'There is no command "shell-1". None was started. Use shell_start first.',
		);
		await start("true");
		expect((await kill("shell-9")).isError).toBe(true);
	});

	it("asks the gate about the command, and about nothing else", () => {
		expect(shellStart.prepare({ command: "ls" })).toMatchObject({ effect: { kind: "run", command: "ls" } });
		expect(shellStatus.prepare({ id: "x" })).toMatchObject({ effect: { kind: "none" } });
		expect(shellKill.prepare({ id: "x" })).toMatchObject({ effect: { kind: "none" } });
	});
});

async function eventually(ask: () => Promise<ToolResult>, expected: string | RegExp): Promise<void> {
	await vi.waitFor(async () => expect((await ask()).text).toEqual(expect.stringMatching(toPattern(expected))), 15_000);
}

function toPattern(expected: string | RegExp): RegExp {
	if (typeof expected !== "string") return expected;
	return new RegExp(`^${expected.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)}$`, "u");
}
