import { spawnLeashed } from "./spawnLeashed.ts";

const signOfLifeMs = 10_000;
const shownOutput = 4000;

/**
 * Runs a program to its end and says what is going on: the title at the start, a sign of life each ten seconds, the
 * time at the end. Its own output is shown only when it fails, in the error.
 */
export async function runCommand(
	title: string,
	command: string,
	args: readonly string[],
	options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
	const startedAt = Date.now();
	const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(0)} s`;
	console.log(`  ${title} …`);
	const signOfLife = setInterval(() => console.log(`  ${title}: still at it (${seconds()})`), signOfLifeMs);
	const program = spawnLeashed(command, args, { ...options, output: "pipe" });
	let output = "";
	const collect = (chunk: string) => (output = (output + chunk).slice(-shownOutput));
	program.process.stdout?.setEncoding("utf8").on("data", collect);
	program.process.stderr?.setEncoding("utf8").on("data", collect);
	const code = await program.ended;
	clearInterval(signOfLife);
	if (code !== 0)
		throw new Error(`${title} did not work: ${commandLine(command, args)} exited with ${code}.\n${output}`);
	console.log(`  ${title}: done (${seconds()})`);
}

function commandLine(command: string, args: readonly string[]): string {
	return [command, ...args].join(" ");
}
