import { realpath } from "node:fs/promises";
import { createNewFile } from "../base/createNewFile.ts";
import { messageOf, type Problem } from "../base/errors.ts";
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
			else if (await createNewFile(root, path, contents)) written.push(path);
			else kept.push(path);
		}
		return { isDone: true, written, kept, skipped };
	} catch (error) {
		return { isDone: false, problem: describeFailure(folder, written, error) };
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
