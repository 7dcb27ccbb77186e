import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface Contestant<Input> {
	readonly name: string;
	readonly input: Input;
}

export interface MeasureOptions {
	readonly rounds: number;
	/** Of Node. */
	readonly flags?: readonly string[];
}

/**
 * Runs a script once for each contestant and round, each time in a process of its own, so that neither heap nor compiled
 * code of one helps another. Contestants take turns, so that a busy moment meets all of them.
 */
export async function measure<Input, Output>(
	script: URL,
	contestants: readonly Contestant<Input>[],
	{ rounds, flags = [] }: MeasureOptions,
): Promise<Map<string, Output[]>> {
	const results = new Map<string, Output[]>(contestants.map(({ name }) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		for (const { name, input } of contestants) {
			results.get(name)?.push(await runScript<Output>(script, input, flags));
		}
	}
	return results;
}

/** Runs a script in a process of its own; what it gives to `answer` comes back. */
export async function runScript<Output>(script: URL, input: unknown, flags: readonly string[] = []): Promise<Output> {
	const args = [...flags, fileURLToPath(script), JSON.stringify(input)];
	const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
	return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Output;
}

/** In the script: what it was started with. */
export function readInput<Input>(): Input {
	return JSON.parse(process.argv[2] ?? "null") as Input;
}

/** In the script: the last line that it prints. */
export function answer(output: unknown): void {
	console.log(JSON.stringify(output));
}
