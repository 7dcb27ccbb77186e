import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";

/** The kernel's word on which files a process and its threads open: strace, attached to it. */
export class FileTrace {
	readonly #file: string;
	readonly #strace: ChildProcess;

	private constructor(file: string, strace: ChildProcess) {
		this.#file = file;
		this.#strace = strace;
	}

	static attach(pid: number, file: string): FileTrace {
		const args = ["-f", "-qq", "-y", "-e", "trace=open,openat,openat2", "-o", file, "-p", String(pid)];
		return new FileTrace(file, spawn("strace", args, { stdio: "ignore" }));
	}

	/** The files, not folders, that were opened below a folder, each once. */
	filesOpenedIn(folder: string): string[] {
		const lines = fs.existsSync(this.#file) ? fs.readFileSync(this.#file, "utf8").split("\n") : [];
		const opened = lines.filter((line) => !line.includes("O_DIRECTORY") && !/= -1 E/u.test(line));
		const names = opened.flatMap((line) => /"([^"]+)"/u.exec(line)?.[1] ?? []);
		return [...new Set(names.filter((name) => name.startsWith(`${folder}/`)))];
	}

	async detach(): Promise<void> {
		const exit = once(this.#strace, "exit");
		this.#strace.kill("SIGINT");
		await exit;
	}
}
