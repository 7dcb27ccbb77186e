import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ProgramResult } from "./runProgram.ts";
import { temporaryFolder } from "./temporaryFolder.ts";
import { storeFolder } from "../../src/core/store/storeFolder.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/** What the demo model says to a task with a key's word in it; what is not here, it says by itself. */
const replies = {
	Count: [{ text: "I count seven.\n\nSUMMARY: Seven." }],
	Fail: [{ error: { message: "the model is on strike", retryable: false } }],
	Hang: [{ text: "Half an answer ", hangs: true }],
	"And now?": [{ text: "Now it is eight.\n\nSUMMARY: Eight." }],
	Write: [
		{ calls: [{ tool: "write_file", input: { path: "new.txt", content: "eight\n" } }] },
		{ text: "That is that.\n\nSUMMARY: Tried." },
	],
	Shell: [{ calls: [{ tool: "shell", input: { command: "cat notes.txt" } }] }, { text: "Read.\n\nSUMMARY: Read." }],
	Plan: [{ text: "# Plan\n\nWrite it.\n\nSUMMARY: One file.\n\n## Files\n\n- `new.txt`\n\n## Commands\n" }],
	"is approved": [
		{ calls: [{ tool: "write_file", input: { path: "new.txt", content: "planned\n" } }] },
		{ text: "Carried out.\n\nSUMMARY: Done." },
	],
	"cut off": [{ text: "I went on.\n\nSUMMARY: Done after all." }],
};

/** A call that is under way. */
export interface StartedCall {
	readonly process: ChildProcess;
	/** Resolves when it has printed this; rejects when it ends without. */
	said(words: string): Promise<void>;
	/** -1 as code: a signal ended it. */
	readonly ended: Promise<ProgramResult>;
}

/** A workspace with one agent, `scout`, and a data folder of its own, in which `muster` is called from the sources. */
export class CommandLine {
	readonly repo = temporaryFolder({
		".agents/agents/scout.md":
			"---\nname: scout\ndescription: Looks.\ntools: [read_file, write_file, shell]\n---\nYou look.\n",
		"notes.txt": "seven\n",
	});
	readonly #data = temporaryFolder({
		"script.json": JSON.stringify({
			scripts: Object.entries(replies).map(([when, turns]) => ({ when, turns })),
		}),
	});
	readonly #home = temporaryFolder();

	get databaseFile(): string {
		return path.join(storeFolder(this.#data, this.repo), "muster.db");
	}

	/** Calls it and waits for its end. */
	call(...words: readonly string[]): Promise<ProgramResult> {
		return this.start(...words).ended;
	}

	/** The one JSON object that a call with `--json` prints. */
	async read<Value>(...words: readonly string[]): Promise<Value> {
		const { code, out, err } = await this.call(...words, "--json");
		if (code !== 0) throw new Error(`muster ${words.join(" ")}: ${code} ${err}`);
		return JSON.parse(out) as Value;
	}

	/** Calls it; it is ended with the test at the latest. */
	start(...words: readonly string[]): StartedCall {
		return this.startIn({}, ...words);
	}

	/** The same with more in its environment. */
	startIn(environment: Readonly<Record<string, string>>, ...words: readonly string[]): StartedCall {
		const child = spawn(process.execPath, [main, ...words, "--home", this.#home, "--data", this.#data], {
			cwd: this.repo,
			env: { ...process.env, MUSTER_DEMO_SCRIPT: path.join(this.#data, "script.json"), ...environment },
			stdio: ["ignore", "pipe", "pipe"],
		});
		onTestFinished(() => void child.kill("SIGKILL"));
		const said = { out: "", err: "" };
		for (const name of ["out", "err"] as const) {
			child[`std${name}`].setEncoding("utf8").on("data", (text: string) => (said[name] += text));
		}
		const ended = new Promise<ProgramResult>((resolve) => {
			child.once("close", (code) => resolve({ code: code ?? -1, ...said }));
		});
		return { process: child, ended, said: (text) => untilSaid(child, said, text) };
	}
}

function untilSaid(child: ChildProcess, said: { readonly out: string; readonly err: string }, words: string) {
	return new Promise<void>((resolve, reject) => {
		const check = () => said.out.includes(words) && resolve();
		// After the listener that collects it.
		child.stdout?.on("data", check);
		child.once("close", () => reject(new Error(`It ended without “${words}”: ${said.out}${said.err}`)));
		check();
	});
}
