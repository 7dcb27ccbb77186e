import path from "node:path";
import { readRegularFile } from "../base/readRegularFile.ts";

/** The most of a project's rules that goes into a prompt. */
const mostBytes = 32 * 1024;

/** Where projects keep what every agent is to know, the first that is there. */
const fileNames = ["AGENTS.md", "CLAUDE.md"];

export interface ProjectRules {
	/** For the prompt; empty when the project has none. */
	readonly text: string;
	/** Why a file that is there was not used, for the log. */
	readonly problems: readonly string[];
}

/**
 * Reads the rules of the project in `root`, a real path. A link that leaves the root is not followed. Whether the folder
 * is trusted, so that anything of it may be read, is for the caller to know. Never rejects.
 */
export async function readProjectRules(root: string): Promise<ProjectRules> {
	const problems: string[] = [];
	for (const name of fileNames) {
		const read = await readRegularFile(path.join(root, name), root);
		if ("bytes" in read) {
			const text = new TextDecoder().decode(read.bytes.subarray(0, mostBytes));
			if (text.trim() !== "") return { text: render(name, text, read.bytes.length), problems };
		} else if (read.refusal !== "missing") {
			problems.push(`The rules in ${name} were not read. ${read.message}`);
		}
	}
	return { text: "", problems };
}

function render(name: string, text: string, bytes: number): string {
	const isCut = bytes > mostBytes;
	// A cut may fall into the middle of a line, or of a letter.
	const shown = (isCut ? text.slice(0, text.lastIndexOf("\n") + 1) || text : text).trim();
	const note = isCut
		? `\n\nOnly the first 32 KB of ${name} are above; it has ${Math.ceil(bytes / 1024)} KB. Read the rest of it where it matters to your task.`
		: "";
	const quoted = shown.replaceAll(/<(?=\/?\s*project-rules)/giu, "‹");
	return `# Project Rules\n\nWhat ${name} of the workspace folder says to everybody who works in it.\n\n<project-rules>\n${quoted}\n</project-rules>${note}`;
}
