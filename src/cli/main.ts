#!/usr/bin/env node
/** `muster` on the command line: the same store as the editor's, without the editor. */
import { messageOf } from "../core/base/errors.ts";
import { tellParent } from "./background.ts";
import { usage, UsageError, unbuiltVerbs } from "./usage.ts";

type Verb = (args: readonly string[]) => Promise<number>;

/** Each is loaded when it is called: `check` and `explain` run where Node has no SQLite. */
const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
	check: async () => (await import("./checkVerb.ts")).checkVerb,
	explain: async () => (await import("./explainVerb.ts")).explainVerb,
	run: async () => (await import("./runVerb.ts")).runVerb,
	send: async () => (await import("./sendVerb.ts")).sendVerb,
	resume: async () => (await import("./resumeVerb.ts")).resumeVerb,
	approve: async () => (await import("./approveVerb.ts")).approveVerb,
	reject: async () => (await import("./approveVerb.ts")).rejectVerb,
	stop: async () => (await import("./stopVerb.ts")).stopVerb,
	remove: async () => (await import("./removeVerb.ts")).removeVerb,
	list: async () => (await import("./listVerb.ts")).listVerb,
	show: async () => (await import("./showVerb.ts")).showVerb,
	history: async () => (await import("./historyVerb.ts")).historyVerb,
	verify: async () => (await import("./verifyVerb.ts")).verifyVerb,
};

/** 0 = done, 1 = what was asked for did not succeed, 2 = usage. */
async function main(args: readonly string[]): Promise<number> {
	const [verb, ...rest] = args;
	if (verb === undefined || ["help", "--help", "-h"].includes(verb)) {
		process.stdout.write(usage);
		return verb === undefined ? 2 : 0;
	}
	const load = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
	if (load) return (await load())(rest);
	throw new UsageError(
		unbuiltVerbs.includes(verb) ? `“muster ${verb}” is not in this version.` : `There is no verb “${verb}”.`,
	);
}

// Who reads no further, such as `head`, does not end the runs.
process.stdout.on("error", () => undefined);

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	const code = error instanceof UsageError ? 2 : 1;
	const err = `muster: ${messageOf(error).replaceAll(/\s*\n\s*/gu, " ")}${code === 2 ? " See “muster help”." : ""}\n`;
	process.stderr.write(err);
	process.exitCode = code;
	await tellParent({ out: "", err, code });
}
