import type * as vscode from "vscode";
import type { LogFields, Logger } from "../../core/ports/logger.ts";

/** Writes to Muster's output channel: the message, then its fields as `name=value`. */
export function createVscodeLogger(channel: vscode.LogOutputChannel): Logger {
	const line = (message: string, fields: LogFields = {}) =>
		[
			message,
			...Object.entries(fields)
				.filter(([, value]) => value !== undefined && value !== null)
				.map(([name, value]) => `${name}=${value}`),
		].join(" ");
	return {
		info: (message, fields) => channel.info(line(message, fields)),
		warn: (message, fields) => channel.warn(line(message, fields)),
		error: (message, fields) => channel.error(line(message, fields)),
	};
}
