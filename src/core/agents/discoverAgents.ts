import { realpathSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describeClash } from "./clashProblems.ts";
import type { AgentDefinition, AgentDialectId, AgentLayer, AgentOrigin } from "./agentDefinition.ts";
import type { AgentReading, ParsedAgent } from "./agentFile.ts";
import { AgentFileCache, type CachedDiscovery, type CachedFolder } from "./agentFileCache.ts";
import { inFile, type AgentProblem } from "./agentProblem.ts";
import type { AgentVocabulary } from "./agentVocabulary.ts";
import type { AgentDialect } from "./dialects/agentDialect.ts";
import { agentDialects } from "./dialects/agentDialects.ts";
import { nativeDialect } from "./dialects/nativeDialect.ts";
import { loadFrontmatterParser } from "./frontmatter.ts";
import { listAgentFiles, type AgentFileEntry } from "./listAgentFiles.ts";
import { mergeAgents, type MergedAgents, type OnDuplicate } from "./mergeAgents.ts";
import { readSourceFile } from "./readSourceFile.ts";

export interface AgentRoot {
	readonly layer: AgentLayer;
	readonly path: string;
}

export interface DiscoveredAgents {
	/** By name, each name once. */
	readonly agents: readonly AgentDefinition[];
	readonly problems: readonly AgentProblem[];
}

/** A folder that was looked at. */
export interface SearchedFolder {
	readonly layer: AgentLayer;
	readonly dialect: AgentDialectId;
	readonly path: string;
	readonly isThere: boolean;
	readonly fileCount: number;
}

export interface AgentDiscovery extends DiscoveredAgents, Pick<MergedAgents, "shadowed"> {
	/** Every folder that agents come from, those included that are not there. */
	readonly folders: readonly SearchedFolder[];
}

export interface DiscoveryOptions {
	readonly onDuplicate?: OnDuplicate;
	/** Makes the next discovery with it fast. */
	readonly cache?: AgentFileCache;
}

/**
 * Finds the agents of all roots, the lowest layer first. Guarantees: never throws; one bad file never keeps another from
 * loading, and every file that does not load is named by a problem; the result depends on the files alone, not on the
 * order in which the disk lists them; only the folders of the dialects are read.
 */
export async function discoverAgents(
	roots: readonly AgentRoot[],
	vocabulary: AgentVocabulary,
	{ onDuplicate = "error", cache = new AgentFileCache() }: DiscoveryOptions = {},
): Promise<AgentDiscovery> {
	const files = cache.begin(vocabulary);
	const scan = new Scan(vocabulary, files);
	const layers: (readonly AgentDefinition[])[] = [];
	const seen = new Set<string>();
	for (const { layer, path } of roots) {
		const realRoot = realPathOf(path);
		if (realRoot === undefined || seen.has(realRoot)) continue;
		seen.add(realRoot);
		layers.push(await scan.readLayer({ layer, path }, realRoot));
	}
	files.end();
	const { agents, shadowed, clashes } = mergeAgents(layers, onDuplicate);
	const isTaken = (name: string) => layers.some((layer) => layer.some((agent) => agent.name === name));
	const clashProblems = await Promise.all(
		clashes.map((clash) => describeClash(clash, (agent) => scan.headOf(agent), isTaken)),
	);
	return { agents, shadowed, problems: [...scan.problems, ...clashProblems], folders: scan.folders };
}

/** A root that is not there has no agents; one that is merely unreadable fails again later, where it is reported. */
function realPathOf(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "ENOENT" ? undefined : path;
	}
}

/** So many files in a row before others get the thread: a fraction of a frame each. */
const filesInARow = { read: 64, known: 500 };

/** One discovery under way. */
class Scan {
	readonly folders: SearchedFolder[] = [];
	readonly problems: AgentProblem[] = [];
	readonly #vocabulary: AgentVocabulary;
	readonly #files: CachedDiscovery;
	readonly #found: ParsedAgent[] = [];
	#reading: AgentReading | undefined;
	#inARow = 0;

	constructor(vocabulary: AgentVocabulary, files: CachedDiscovery) {
		this.#vocabulary = vocabulary;
		this.#files = files;
	}

	/** The frontmatter of an agent that was found. */
	headOf({ file }: AgentDefinition): string | undefined {
		return this.#found.find(({ agent }) => agent?.file === file)?.head;
	}

	/** Agents in the order of precedence: by dialect, then by file. A role pack has our own format only. */
	async readLayer({ layer, path }: AgentRoot, realRoot: string): Promise<readonly AgentDefinition[]> {
		const agents: AgentDefinition[] = [];
		for (const dialect of layer === "role" ? [nativeDialect] : agentDialects) {
			for (const folder of dialect.folders(layer)) {
				const at = join(path, folder);
				const { isThere, files, problems } = listAgentFiles(at, dialect, realRoot);
				this.folders.push({ layer, dialect: dialect.id, path: at, isThere, fileCount: files.length });
				this.problems.push(...problems);
				const cached = this.#files.folder(layer, at);
				for (const entry of files) {
					const known = cached.find(entry);
					const parsed = known ?? (await this.#readFile({ layer, ...entry }, dialect, realRoot, cached));
					this.#found.push(parsed);
					if (parsed.problems.length > 0) this.problems.push(...parsed.problems);
					if (parsed.agent !== undefined) agents.push(parsed.agent);
					if (++this.#inARow >= (known === undefined ? filesInARow.read : filesInARow.known)) await this.#pause();
				}
			}
		}
		return agents;
	}

	async #readFile(
		entry: AgentFileEntry & AgentOrigin,
		dialect: AgentDialect,
		realRoot: string,
		cached: CachedFolder,
	): Promise<ParsedAgent> {
		const source = readSourceFile(entry.file, realRoot);
		if ("problem" in source) return { problems: [inFile(entry.file, source.problem)] };
		this.#reading ??= { vocabulary: this.#vocabulary, parse: await loadFrontmatterParser() };
		const parsed = await dialect.read({ ...entry, bytes: source.bytes }, this.#reading);
		cached.put(entry, source.status, parsed);
		return parsed;
	}

	async #pause(): Promise<void> {
		this.#inARow = 0;
		await setImmediate();
	}
}
