import * as z from "zod";
import { defineTool } from "../defineTool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { describeEscaped, describeExit } from "./describeEnd.ts";
import { pageOutput } from "./outputText.ts";
import { maxRunningShells, type ShellSession } from "./shellSessions.ts";
import { startShell } from "./startShell.ts";

const Id = z.string().min(1).max(100).meta({ description: "What shell_start answered, such as shell-1." });

export const shellStart = defineTool({
	name: "shell_start",
	description:
		"Starts a command with bash in the workspace folder and does not wait for it: a server, a watcher, a long test. " +
		"Gives an id for shell_status, which tells its output, and shell_kill. " +
		`At most ${maxRunningShells} run at once, and all are ended when you are done.`,
	input: z.strictObject({
		command: z.string().min(1).meta({ description: "What bash runs, in the workspace folder." }),
	}),
	effect: ({ command }) => ({ kind: "run", command }),
	subject: ({ command }) => command,
	async execute({ command }, context) {
		const started = await context.shells.start(command, () => startShell(command, context));
		if (!started.ok) return failed(started.problem);
		const { id } = started.session;
		return succeeded(`Started as ${id}. Use shell_status to see what it says.`);
	},
});

export const shellStatus = defineTool({
	name: "shell_status",
	description:
		"Tells whether a command of shell_start still runs, and its output from an offset on, about 31 KB at a time. " +
		"The answer ends with the offset to go on from.",
	input: z.strictObject({
		id: Id,
		offset: z
			.int()
			.min(0)
			.optional()
			.meta({ description: "The first byte of the output to show. Default: where the last answer ended." }),
	}),
	effect: () => ({ kind: "none" }),
	subject: ({ id }) => id,
	async execute({ id, offset }, { shells }) {
		const session = shells.find(id);
		if (session === undefined) return failed(explainUnknown(id, shells.ids));
		return succeeded(describeSession(session, offset ?? session.readOffset));
	},
});

export const shellKill = defineTool({
	name: "shell_kill",
	description: "Ends a command of shell_start with everything that it started, and tells the rest of its output.",
	input: z.strictObject({ id: Id }),
	effect: () => ({ kind: "none" }),
	subject: ({ id }) => id,
	async execute({ id }, { shells }): Promise<ToolResult> {
		const session = shells.find(id);
		if (session === undefined) return failed(explainUnknown(id, shells.ids));
		await session.kill();
		return succeeded(describeSession(session, session.readOffset));
	},
});

function describeSession(session: ShellSession, offset: number): string {
	const { output, end, id } = session;
	const { text, missing, next } = pageOutput(output, offset, end !== undefined);
	session.readOffset = next;
	const gap = missing > 0 ? [`[${missing} bytes before this are not kept.]`] : [];
	const state = end === undefined ? "Still running" : describeExit(end.exit);
	const left = output.total - next;
	const more = left > 0 ? `, ${left} bytes more` : "";
	const rest = end === undefined ? "" : describeEscaped(end.report);
	return [...gap, text, `[${id}: ${state}. Output up to byte ${next}${more}. Go on with offset ${next}.${rest}]`]
		.filter((part) => part !== "")
		.join("\n");
}

function explainUnknown(id: string, ids: ToolContext["shells"]["ids"]): string {
	const known = ids.length > 0 ? `There are: ${ids.join(", ")}.` : "None was started. Use shell_start first.";
	return `There is no command ${JSON.stringify(id)}. ${known}`;
}
