import { statSync, type Stats } from "node:fs";
import type { AgentLayer } from "./agentDefinition.ts";
import type { ParsedAgent } from "./agentFile.ts";
import type { AgentVocabulary } from "./agentVocabulary.ts";
import type { AgentFileEntry } from "./listAgentFiles.ts";

/** Which bytes these are, without reading them. */
export type FileIdentity = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs">;

interface CachedFile {
	readonly identity: FileIdentity;
	readonly parsed: ParsedAgent;
}

/** By folder, and in a folder by the path from there: short keys, since long ones cost as much as looking at the file. */
type CachedFiles = ReadonlyMap<string, ReadonlyMap<string, CachedFile>>;

/**
 * What agent files said when they were read last, so that a file that is the same by path, inode, size and times is not
 * read again. Good for one vocabulary at a time; with another, it begins anew. It holds what the last discovery has seen
 * and nothing older: a file that was changed for the worse, or is gone, leaves no trace.
 */
export class AgentFileCache {
	#files: CachedFiles = new Map();
	#vocabulary: AgentVocabulary | undefined;

	/** Begins a discovery. Several may be under way; the one that ends last is remembered. */
	begin(vocabulary: AgentVocabulary): CachedDiscovery {
		const known: CachedFiles = vocabulary === this.#vocabulary ? this.#files : new Map();
		return new CachedDiscovery(known, (files) => {
			this.#files = files;
			this.#vocabulary = vocabulary;
		});
	}
}

/** One discovery's use of the cache. */
export class CachedDiscovery {
	readonly #known: CachedFiles;
	readonly #seen = new Map<string, Map<string, CachedFile>>();
	readonly #remember: (files: CachedFiles) => void;

	constructor(known: CachedFiles, remember: (files: CachedFiles) => void) {
		this.#known = known;
		this.#remember = remember;
	}

	folder(layer: AgentLayer, folder: string): CachedFolder {
		const key = `${layer}:${folder}`;
		const seen = new Map<string, CachedFile>();
		this.#seen.set(key, seen);
		return new CachedFolder(this.#known.get(key) ?? new Map(), seen);
	}

	end(): void {
		this.#remember(this.#seen);
	}
}

export class CachedFolder {
	readonly #known: ReadonlyMap<string, CachedFile>;
	readonly #seen: Map<string, CachedFile>;

	constructor(known: ReadonlyMap<string, CachedFile>, seen: Map<string, CachedFile>) {
		this.#known = known;
		this.#seen = seen;
	}

	/** What a file said, if it is still the same. */
	find({ file, path }: AgentFileEntry): ParsedAgent | undefined {
		const cached = this.#known.get(path);
		if (cached === undefined || !isSame(cached.identity, identify(file))) return undefined;
		this.#seen.set(path, cached);
		return cached.parsed;
	}

	/** `identity` is that of the very bytes that were parsed. */
	put({ path }: AgentFileEntry, identity: FileIdentity, parsed: ParsedAgent): void {
		const { dev, ino, size, mtimeMs, ctimeMs } = identity;
		this.#seen.set(path, { identity: { dev, ino, size, mtimeMs, ctimeMs }, parsed });
	}
}

/** Undefined when it can't be had: reading the file says why. */
function identify(file: string): FileIdentity | undefined {
	try {
		return statSync(file, { throwIfNoEntry: false });
	} catch (error) {
		if (error instanceof Error && "code" in error) return undefined;
		throw error;
	}
}

function isSame(one: FileIdentity, other: FileIdentity | undefined): boolean {
	return (
		one.ino === other?.ino &&
		one.mtimeMs === other.mtimeMs &&
		one.size === other.size &&
		one.ctimeMs === other.ctimeMs &&
		one.dev === other.dev
	);
}
