import * as z from "zod";
import type { Clock } from "../../ports/clock.ts";
import type { KillReport, ProcessExit } from "../../processes/processGroup.ts";
import { defineTool } from "../defineTool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { describeEscaped, describeExit } from "./describeEnd.ts";
import { describeOutput } from "./outputText.ts";
import { startShell } from "./startShell.ts";

const defaultSeconds = 120;
const maxSeconds = 600;

const Input = z.strictObject({
	command: z.string().min(1).meta({ description: "What bash runs, in the workspace folder." }),
	timeout_seconds: z
		.int32()
		.min(1)
		.max(maxSeconds)
		.default(defaultSeconds)
		.meta({ description: `When it is stopped. Default ${defaultSeconds}, at most ${maxSeconds}.` }),
});

/** Runs a command to its end. Nothing that it started outlives the call. */
export const shell = defineTool({
	name: "shell",
	description:
		"Runs a command with bash in the workspace folder and waits for it. Gives its output, of which a long middle is left " +
		"out, and its exit code. It has no input and no terminal. Each call starts anew: a changed folder or variable is not " +
		"kept. For servers and watchers use shell_start: what a command leaves running is ended with it.",
	input: Input,
	effect: ({ command }) => ({ kind: "run", command }),
	subject: ({ command }) => command,
	async execute({ command, timeout_seconds: seconds }, context) {
		const { signal, clock } = context;
		const started = await startShell(command, context);
		if (!started.ok) return failed(started.problem);
		const { handle, output, isRead } = started.shell;
		const ending = await firstOf(handle.exited, { signal, clock, seconds });
		const report = await handle.kill();
		await isRead;
		signal.throwIfAborted();
		const text = [describeOutput(output), `[${describeEnding(ending, seconds, report)}]`].filter(Boolean).join("\n");
		return ending !== "timeout" && ending !== "aborted" && ending.code === 0 ? succeeded(text) : failed(text);
	},
});

type Ending = ProcessExit | "timeout" | "aborted";

interface Limits {
	readonly signal: AbortSignal;
	readonly clock: Clock;
	readonly seconds: number;
}

/** Whatever comes first; the others are let go. */
async function firstOf(exited: Promise<ProcessExit>, { signal, clock, seconds }: Limits): Promise<Ending> {
	const over = Promise.withResolvers<Ending>();
	const onAbort = () => over.resolve("aborted");
	const timer = clock.after(seconds * 1_000, () => over.resolve("timeout"));
	signal.addEventListener("abort", onAbort, { once: true });
	if (signal.aborted) onAbort();
	void exited.then(over.resolve);
	const ending = await over.promise;
	timer.dispose();
	signal.removeEventListener("abort", onAbort);
	return ending;
}

function describeEnding(ending: Ending, seconds: number, report: KillReport): string {
	if (ending === "timeout") {
		return `Stopped after ${seconds} seconds, with all that it started. Give it more time, or use shell_start.${describeEscaped(report)}`;
	}
	return `${ending === "aborted" ? "Stopped" : describeExit(ending)}.${describeEscaped(report)}`;
}
