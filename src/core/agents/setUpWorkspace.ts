import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, type Problem } from "../base/errors.ts";
import { isInside } from "../base/isInside.ts";
import { stockFiles } from "./stockAgents.ts";

export type SetUpResult =
	| {
			readonly isDone: true;
			/** Paths from the folder. */
			readonly written: readonly string[];
			/** Were there already, and are as they were. */
			readonly kept: readonly string[];
			/** Not written, because the home layer has an agent of that name. */
			readonly skipped: readonly string[];
	  }
	| { readonly isDone: false; readonly problem: Problem };

/**
 * Writes the stock files into a folder. Never overwrites: a file that is there is kept, whatever it says. Writes nothing
 * outside of the folder, not even through a link. Doing it twice is the same as doing it once.
 */
export async function setUpWorkspace(folder: string, homeAgentNames: ReadonlySet<string>): Promise<SetUpResult> {
	const written: string[] = [];
	const kept: string[] = [];
	const skipped: string[] = [];
	try {
		const root = await realpath(folder);
		for (const { path, contents, agentName } of stockFiles) {
			if (agentName !== undefined && homeAgentNames.has(agentName)) skipped.push(path);
			else if (await createFile(root, path, contents)) written.push(path);
			else kept.push(path);
		}
		return { isDone: true, written, kept, skipped };
	} catch (error) {
		return { isDone: false, problem: describeFailure(folder, written, error) };
	}
}

/** False when there is such a file already. */
async function createFile(root: string, path: string, contents: string): Promise<boolean> {
	const steps = path.split("/");
	const name = steps.pop() ?? "";
	let folder = root;
	for (const step of steps) {
		folder = join(folder, step);
		await unlessThere(mkdir(folder));
		folder = await realpath(folder);
		if (!isInside(root, folder)) throw new Error(`${path} would be in ${folder}, outside of the folder`);
	}
	return unlessThere(writeFile(join(folder, name), contents, { flag: "wx" }));
}

async function unlessThere(creation: Promise<void>): Promise<boolean> {
	try {
		await creation;
		return true;
	} catch (error) {
		if (codeOf(error) === "EEXIST") return false;
		throw error;
	}
}

const readOnlyCodes: ReadonlySet<unknown> = new Set(["EROFS", "EACCES", "EPERM"]);

function describeFailure(folder: string, written: readonly string[], error: unknown): Problem {
	const changed = written.length === 0 ? "Nothing was changed." : `Written before that: ${written.join(", ")}.`;
	if (readOnlyCodes.has(codeOf(error))) {
		return {
			code: "setUp.readOnly",
			message: `${folder} is read-only, so no agents can be put there. ${changed} Agents can live in the folder .agents/agents of your home folder instead.`,
			remedies: [{ kind: "openSetting", setting: "muster.homeDir" }],
		};
	}
	return {
		code: "setUp.failed",
		message: `${folder} was not set up: ${messageOf(error)}. ${changed} Remove what is in the way, and try again.`,
	};
}

function codeOf(error: unknown): unknown {
	return error instanceof Error && "code" in error ? error.code : undefined;
}
