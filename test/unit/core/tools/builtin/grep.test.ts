import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { messageOf } from "../../../../../src/core/base/errors.ts";
import { createGrep } from "../../../../../src/core/tools/builtin/grep.ts";
import { temporaryFolder, withFiles, withLinks } from "../../../../fakes/temporaryFolder.ts";
import { execute } from "../execute.ts";

const grep = createGrep(rgPath);

describe("grep", () => {
	it("gives path, line and text of each match, sorted, from the workspace folder", async () => {
		const root = withFiles(temporaryFolder(), {
			"src/b.ts": "let total;\n",
			"src/a.ts": "x\nlet total = 1;\nlet total2;\n",
			"other.md": "none\n",
			".hidden/c.ts": "total\n",
		});
		expect(await execute(grep, root, { pattern: "total" })).toEqual({
			text: [
				".hidden/c.ts:1:total",
				"src/a.ts:2:let total = 1;",
				"src/a.ts:3:let total2;",
				"src/b.ts:1:let total;",
			].join("\n"),
			isError: false,
		});
	});

	it("searches one folder, one file, or the files that a glob names", async () => {
		const root = withFiles(temporaryFolder(), { "src/a.ts": "x", "src/a.md": "x", "test/a.ts": "x" });
		expect((await execute(grep, root, { pattern: "x", path: "src" })).text).toBe("src/a.md:1:x\nsrc/a.ts:1:x");
		expect((await execute(grep, root, { pattern: "x", path: "src/a.md" })).text).toBe("src/a.md:1:x");
		expect((await execute(grep, root, { pattern: "x", glob: "*.ts" })).text).toBe("src/a.ts:1:x\ntest/a.ts:1:x");
		expect((await execute(grep, root, { pattern: "x", glob: "src/**/*.ts" })).text).toBe("src/a.ts:1:x");
		expect((await execute(grep, root, { pattern: "x", glob: "!test/**" })).text).toBe("src/a.md:1:x\nsrc/a.ts:1:x");
	});

	it("tells capital letters apart unless told not to", async () => {
		const root = withFiles(temporaryFolder(), { a: "Total\ntotal\n" });
		expect((await execute(grep, root, { pattern: "total" })).text).toBe("a:2:total");
		expect((await execute(grep, root, { pattern: "total", ignoreCase: true })).text).toBe("a:1:Total\na:2:total");
	});

	it.each(["-e", "--pre=evil", "-", "--"])("takes the pattern %s for text, not for an option", async (pattern) => {
		const root = withFiles(temporaryFolder(), { a: `one ${pattern} two\n` });
		expect((await execute(grep, root, { pattern })).text).toBe(`a:1:one ${pattern} two`);
	});

	it("finds the end of a line in files with Windows line ends, and any script", async () => {
		const root = withFiles(temporaryFolder(), { a: "größe 🎉\r\nx\r\n" });
		expect((await execute(grep, root, { pattern: "🎉$" })).text).toBe("a:1:größe 🎉");
	});

	it("leaves out ignored files, the inside of .git, binary files and what links lead to", async () => {
		const outer = withFiles(temporaryFolder(), {
			"secret/key": "needle",
			"ws/.gitignore": "dist\n",
			"ws/dist/a.js": "needle",
			"ws/.git/config": "needle",
			"ws/logo.png": "\0needle",
		});
		const root = withLinks(join(outer, "ws"), { link: "../secret", file: "../secret/key" });
		expect(await execute(grep, root, { pattern: "needle" })).toEqual({
			text: "No matches found. Binary files and files that .gitignore names were not searched.",
			isError: false,
		});
		expect((await execute(grep, root, { pattern: "needle", path: ".git" })).text).toBe(".git/config:1:needle");
	});

	it("hands on what ripgrep says about a pattern or a glob that it cannot use", async () => {
		const root = withFiles(temporaryFolder(), { a: "x" });
		expect(await execute(grep, root, { pattern: "foo(" })).toEqual({
			text: expect.stringMatching(/unclosed group[^]*Correct the pattern/),
			isError: true,
		});
		expect(await execute(grep, root, { pattern: "x", glob: "[" })).toEqual({
			text: expect.stringContaining("unclosed character class"),
			isError: true,
		});
	});

	it("cuts long lines after 200 characters", async () => {
		const root = withFiles(temporaryFolder(), { a: `x${"é".repeat(100_000)}\n` });
		expect((await execute(grep, root, { pattern: "x" })).text).toBe(`a:1:x${"é".repeat(198)}…`);
	});

	it("says how many matches do not fit in 30 KB", async () => {
		const root = withFiles(temporaryFolder(), { a: `${"x".repeat(100)}\n`.repeat(900) });
		const { text } = await execute(grep, root, { pattern: "x" });
		const shown = text.split("\n").filter((line) => line.startsWith("a:")).length;
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30 * 1024);
		expect(text).toContain(`[${900 - shown} more not shown.`);
	});

	it("stops after 1,000 matches and says that there are more", async () => {
		const root = withFiles(temporaryFolder(), { a: "x\n".repeat(500_000) });
		const { text } = await execute(grep, root, { pattern: "x" });
		expect(text.split("\n").filter((line) => line.startsWith("a:"))).toHaveLength(1_000);
		expect(text).toContain("[At least 1 more not shown.");
	});

	it.each([undefined, "/nowhere/rg"])("says how to do without when ripgrep is at %s", async (ripgrepPath) => {
		const root = withFiles(temporaryFolder(), { a: "x" });
		expect(await execute(createGrep(ripgrepPath), root, { pattern: "x" })).toEqual({
			text: "ripgrep was not found, so grep cannot search. Use list_dir and read_file instead.",
			isError: true,
		});
	});

	it("says about a missing path and about a pipe that they cannot be searched", async () => {
		const root = temporaryFolder();
		execFileSync("mkfifo", [join(root, "pipe")]);
		expect((await execute(grep, root, { pattern: "x", path: "missing" })).text).toContain("missing does not exist");
		expect((await execute(grep, root, { pattern: "x", path: "pipe" })).text).toContain(
			"pipe is neither a file nor a folder",
		);
	});

	it("kills the process when it is aborted", async () => {
		const root = temporaryFolder();
		const program = join(root, "slow-ripgrep");
		const pidFile = join(root, "pid");
		withFiles(root, {
			"slow-ripgrep": `#!/bin/sh\necho $$ > '${pidFile}.new' && mv '${pidFile}.new' '${pidFile}'\nexec sleep 600\n`,
		});
		chmodSync(program, 0o755);
		const controller = new AbortController();
		const search = execute(createGrep(program), root, { pattern: "x" }, controller.signal);
		const outcome = search.catch(messageOf);
		await vi.waitUntil(() => existsSync(pidFile));
		const pid = Number(readFileSync(pidFile, "utf8"));
		expect(isRunning(pid)).toBe(true);
		controller.abort();
		expect(await outcome).toContain("aborted");
		await vi.waitUntil(() => !isRunning(pid));
	});

	it("gives the process nothing of our environment", async () => {
		const root = temporaryFolder();
		withFiles(root, { "env-ripgrep": `#!/bin/sh\n/usr/bin/env >&2\n` });
		chmodSync(join(root, "env-ripgrep"), 0o755);
		vi.stubEnv("MUSTER_CANARY", "secret");
		onTestFinished(() => void vi.unstubAllEnvs());
		const { text } = await execute(createGrep(join(root, "env-ripgrep")), root, { pattern: "x" });
		expect(text).toContain("PWD=");
		expect(text).not.toContain("CANARY");
	});
});

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
