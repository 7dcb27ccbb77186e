import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { messageOf } from "../base/errors.ts";
import { isInside } from "../base/isInside.ts";
import type { AgentProblem } from "./agentProblem.ts";
import type { AgentDialect } from "./dialects/agentDialect.ts";

export interface AgentFileEntry {
	/** Absolute path. */
	readonly file: string;
	/** From the folder, with forward slashes. */
	readonly path: string;
}

export interface AgentFolder {
	readonly isThere: boolean;
	/** In ordinal order, folder by folder, which is the same on every machine. */
	readonly files: readonly AgentFileEntry[];
	readonly problems: readonly AgentProblem[];
}

/** More files than this in one folder are not meant as agents. */
export const mostAgentFiles = 1_000;

/**
 * The agent files of one folder, and of the folders in it where the dialect has such. Nothing else is looked at: neither
 * hidden files, which editors and systems leave, nor what a link leads to outside of the root. A folder is visited once,
 * so that links in a circle come to an end.
 */
export function listAgentFiles(folder: string, dialect: AgentDialect, realRoot: string): AgentFolder {
	if (!existsSync(folder)) return { isThere: false, files: [], problems: [] };
	const files: AgentFileEntry[] = [];
	const problems: AgentProblem[] = [];
	const visited = new Set<string>();
	const visit = (at: string, prefix: string, depth: number): void => {
		try {
			const real = realpathSync.native(at);
			if (!isInside(realRoot, real)) throw new Error(`it links to ${real}, outside of ${realRoot}`);
			if (visited.has(real)) return;
			visited.add(real);
			for (const name of readdirSync(at).toSorted()) {
				if (name.startsWith(".") || name === "node_modules") continue;
				const file = `${at}${sep}${name}`;
				if (depth > 0 && isFolder(file)) visit(file, `${prefix}${name}/`, depth - 1);
				else if (dialect.matches(name)) files.push({ file, path: `${prefix}${name}` });
			}
		} catch (error) {
			problems.push(describeUnreadable(at, error));
		}
	};
	visit(folder, "", dialect.depth);
	if (files.length > mostAgentFiles) problems.push(describeTooMany(folder, files.length));
	return { isThere: true, files: files.slice(0, mostAgentFiles), problems };
}

/** Follows links. What leads nowhere is no folder: named like an agent, it is a file that can't be read. */
function isFolder(file: string): boolean {
	try {
		return statSync(file).isDirectory();
	} catch (error) {
		if (error instanceof Error && "code" in error) return false;
		throw error;
	}
}

function describeUnreadable(file: string, error: unknown): AgentProblem {
	const message = `This folder of agents can't be read: ${messageOf(error)}. Check it and its permissions.`;
	return { severity: "error", code: "agent.unreadable", message, file };
}

function describeTooMany(file: string, count: number): AgentProblem {
	const message = `There are ${count} agent files in this folder; the first ${mostAgentFiles} are read. Move the others away.`;
	return { severity: "warning", code: "agent.tooMany", message, file };
}
