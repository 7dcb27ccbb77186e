#!/usr/bin/env node
/** `muster` on the command line: the same store as the editor's, without the editor. */
import { messageOf } from "../core/base/errors.ts";
import { checkVerb } from "./checkVerb.ts";
import { explainVerb } from "./explainVerb.ts";
import { listVerb } from "./listVerb.ts";
import { usage, UsageError, unbuiltVerbs } from "./usage.ts";

/** 0 = done, 1 = what was asked for did not succeed, 2 = usage. */
async function main(args: readonly string[]): Promise<number> {
	const [verb, ...rest] = args;
	switch (verb) {
		case undefined:
		case "help":
		case "--help":
		case "-h":
			process.stdout.write(usage);
			return verb === undefined ? 2 : 0;
		case "check":
			return checkVerb(rest);
		case "explain":
			return explainVerb(rest);
		case "list":
			return listVerb(rest);
		default:
			throw new UsageError(
				unbuiltVerbs.includes(verb) ? `“muster ${verb}” is not in this version.` : `There is no verb “${verb}”.`,
			);
	}
}

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	const isUsage = error instanceof UsageError;
	process.stderr.write(`muster: ${messageOf(error)}${isUsage ? " See “muster help”." : ""}\n`);
	process.exitCode = isUsage ? 2 : 1;
}
