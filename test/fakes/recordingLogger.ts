import type { Logger } from "../../src/core/ports/logger.ts";

/** Keeps every line, so that a test can say that something was, or was not, reported. */
export class RecordingLogger implements Logger {
	readonly lines: string[] = [];

	info(message: string): void {
		this.lines.push(`info ${message}`);
	}

	warn(message: string): void {
		this.lines.push(`warn ${message}`);
	}

	error(message: string): void {
		this.lines.push(`error ${message}`);
	}

	get errors(): string[] {
		return this.lines.filter((line) => line.startsWith("error"));
	}
}
