/**
 * Stands in for `@vscode/spdlog`, VS Code's logger, which is native code that only an install script would build. With
 * it VS Code writes its log files, so that the Output view has content and tests can read an extension's log.
 *
 * Covers the calls that VS Code makes, and no more: files are not rotated.
 */
import fs from "node:fs";
import path from "node:path";

const levels = ["trace", "debug", "info", "warning", "error", "critical"] as const;

class Logger {
	readonly #file: string;
	#level = 0;
	#isFormatted = true;

	constructor(file: string) {
		this.#file = file;
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(file, "", { flag: "a" });
	}

	trace(message: string): void {
		this.#write(0, message);
	}
	debug(message: string): void {
		this.#write(1, message);
	}
	info(message: string): void {
		this.#write(2, message);
	}
	warn(message: string): void {
		this.#write(3, message);
	}
	error(message: string): void {
		this.#write(4, message);
	}
	critical(message: string): void {
		this.#write(5, message);
	}

	getLevel(): number {
		return this.#level;
	}
	setLevel(level: number): void {
		this.#level = level;
	}
	setPattern(): void {
		this.#isFormatted = true;
	}
	clearFormatters(): void {
		this.#isFormatted = false;
	}
	flush(): void {}
	drop(): void {}

	#write(level: number, message: string): void {
		if (level < this.#level) return;
		// the form of VS Code's pattern "%Y-%m-%d %H:%M:%S.%e [%l] %v"; unformatted text brings its own line ends
		const at = new Date().toISOString().replace("T", " ").replace("Z", "");
		fs.appendFileSync(this.#file, this.#isFormatted ? `${at} [${levels[level]}] ${message}\n` : message);
	}
}

async function createRotatingLogger(_name: string, file: string): Promise<Logger> {
	return new Logger(file);
}

export { Logger, createRotatingLogger, createRotatingLogger as createAsyncRotatingLogger };
export const version = 0;
export function setLevel(): void {}
export function setFlushOn(): void {}
