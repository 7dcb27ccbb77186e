import type { KillReport, ProcessExit } from "../../processes/processGroup.ts";

export function describeExit({ code, signal }: ProcessExit): string {
	return code === null ? `Ended by ${signal ?? "a signal"}` : `Exit code ${code}`;
}

/** A sentence about what a command left running, with a space before it; empty when nothing was. */
export function describeEscaped({ escaped }: KillReport): string {
	if (escaped.length === 0) return "";
	const names = escaped.slice(0, 5).map(({ pid, commandLine }) => `${pid} (${commandLine})`);
	const more = escaped.length > names.length ? ` and ${escaped.length - names.length} more` : "";
	return ` It left processes behind, and they were ended too: ${names.join(", ")}${more}.`;
}
