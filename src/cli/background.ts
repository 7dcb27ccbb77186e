/**
 * `--detach`: the call goes on as a process of its own, which tells its parent one thing, what was accepted, and ends with
 * its runs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as z from "zod";

/** Not for people: marks the process that `--detach` leaves behind. */
const mark = "--background";

/** What the parent prints and exits with. */
const FirstWord = z.strictObject({ out: z.string(), err: z.string(), code: z.int() });
type FirstWord = z.infer<typeof FirstWord>;

/** Whether this process is the one in the background. */
export function isInBackground(): boolean {
	return process.send !== undefined && process.argv.includes(mark);
}

/** Starts the same call in the background and says what it says first. */
export async function leaveInBackground(verb: string, args: readonly string[]): Promise<number> {
	const program = process.argv[1] ?? "";
	const rest = args.map((word) => (word === "--detach" ? mark : word));
	const child = spawn(process.execPath, [...process.execArgv, program, verb, ...rest], {
		detached: true,
		stdio: ["ignore", "ignore", "ignore", "ipc"],
	});
	const silence = { out: "", err: "muster: The background process ended before it had begun.\n", code: 1 };
	const [message] = (await Promise.race([once(child, "message"), once(child, "exit").then(() => [silence])])) as [
		unknown,
	];
	const { out, err, code } = FirstWord.parse(message);
	process.stdout.write(out);
	process.stderr.write(err);
	if (child.connected) child.disconnect();
	child.unref();
	return code;
}

/** In the background: tells the parent, once, and lets it go. Elsewhere nothing. */
export async function tellParent(word: FirstWord): Promise<void> {
	if (!isInBackground() || !process.connected) return;
	await new Promise<void>((resolve) => process.send?.(word, undefined, undefined, () => resolve()));
	if (process.connected) process.disconnect();
}
