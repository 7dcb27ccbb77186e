/** The README's first command, as a user types it, and the build that follows edits. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../fakes/runProgram.ts";
import { temporaryFolder } from "../fakes/temporaryFolder.ts";
import { projectRoot } from "../vscode/paths.ts";
import { until } from "../vscode/until.ts";

const script = path.join(projectRoot, "test/vscode/start.ts");

function start(file: string, args: readonly string[], cwd = projectRoot): { child: ChildProcess; said: () => string } {
	const child = spawn(process.execPath, [file, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
	onTestFinished(() => void child.kill("SIGKILL"));
	let text = "";
	for (const pipe of [child.stdout, child.stderr])
		pipe?.setEncoding("utf8").on("data", (more: string) => (text += more));
	return { child, said: () => text };
}

/** The processes that name the folder in how they were called. Linux tells. */
function runningIn(folder: string): string[] {
	if (process.platform !== "linux") return [];
	return readdirSync("/proc").flatMap((pid) => {
		try {
			const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
			return /^\d+$/u.test(pid) && line.includes(folder) ? [line] : [];
		} catch {
			return [];
		}
	});
}

describe("npm start", () => {
	it("opens a VS Code on a folder, says where and what to try, and Ctrl-C ends all that it started", async () => {
		const profile = temporaryFolder();
		const folder = temporaryFolder({ "notes.txt": "seven\n" });
		const { child, said } = start(script, ["--web", "--profile", profile, "--folder", folder]);
		const ended = once(child, "exit");
		const url = await until("npm start to say where it runs", () => /http:\S+/u.exec(said())?.[0], 120_000);
		expect(said()).toContain("Muster: Spawn Subagent");
		// The token in the address is given once, for a cookie.
		const door = await fetch(url, { redirect: "manual" });
		expect(door.status).toBe(302);
		const cookie = door.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
		const page = await fetch(new URL(door.headers.get("location") ?? "", url), { headers: { cookie } });
		expect(page.status).toBe(200);
		expect(await page.text()).toContain("workbench");
		const stranger = await fetch(new URL("/", url).href);
		expect(stranger.status).toBe(403);
		expect(runningIn(profile).length > 0).toBe(process.platform === "linux");
		child.kill("SIGINT");
		expect(await ended).toEqual([0, null]);
		expect(runningIn(profile)).toEqual([]);
		await expect(fetch(url)).rejects.toThrow("fetch failed");
	});

	it("lists its options, and says what is wrong with them", async () => {
		const help = await runProgram(script, ["--help"], projectRoot);
		expect(help).toMatchObject({ code: 0, err: "" });
		expect(help.out).toContain("--folder DIR");
		const wrong = await runProgram(script, ["--folder", "/nowhere/at/all"], projectRoot);
		expect(wrong).toMatchObject({ code: 1, err: "There is no folder /nowhere/at/all.\n" });
	});
});

describe("npm run watch", () => {
	it("builds anew when a file changes", async () => {
		const copy = temporaryFolder();
		for (const name of [
			"src",
			"webview",
			"media",
			"esbuild.mjs",
			"package.json",
			"tsconfig.json",
			"tsconfig.base.json",
		]) {
			cpSync(path.join(projectRoot, name), path.join(copy, name), { recursive: true });
		}
		symlinkSync(path.join(projectRoot, "node_modules"), path.join(copy, "node_modules"));
		const { said } = start(path.join(copy, "esbuild.mjs"), ["--watch"], copy);
		const built = path.join(copy, "dist/extension.js");
		await until(`the first build: ${said()}`, () => statSync(built, { throwIfNoEntry: false }));
		const source = path.join(copy, "src/extension.ts");
		writeFileSync(source, `${readFileSync(source, "utf8")}\nexport const watched = "for a change";\n`);
		await until("the change to be built", () => readFileSync(built, "utf8").includes("for a change"));
		expect(readFileSync(built, "utf8")).toContain("for a change");
	});
});
