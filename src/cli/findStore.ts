import { existsSync, realpathSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { messageOf } from "../core/base/errors.ts";
import { storeFolder } from "../core/store/storeFolder.ts";
import { UsageError } from "./usage.ts";

export interface PlaceOptions {
	readonly repo?: string | undefined;
	readonly home?: string | undefined;
	readonly data?: string | undefined;
	readonly store?: string | undefined;
}

/** What a call is about, as absolute paths. */
export interface Place {
	readonly repo: string;
	readonly home: string;
	/** The folder with `muster.db`, which need not be there. */
	readonly store: string;
	/** Holds all stores. */
	readonly data: string;
}

export function findPlace(options: PlaceOptions): Place {
	const home = path.resolve(options.home ?? process.env["MUSTER_HOME"] ?? os.homedir());
	const repo = path.resolve(options.repo ?? findRepo(process.cwd(), [os.homedir(), home]));
	const data = path.resolve(options.data ?? process.env["MUSTER_DATA_DIR"] ?? path.join(os.homedir(), ".muster"));
	return { home, repo, data, store: findStore(options, data, repo) };
}

function findStore(options: PlaceOptions, data: string, repo: string): string {
	if (options.store !== undefined) return path.resolve(options.store);
	try {
		return storeFolder(data, repo);
	} catch (error) {
		throw new UsageError(`The folder ${repo} cannot be used: ${messageOf(error)}.`, { cause: error });
	}
}

/**
 * The nearest ancestor that is a workspace by its looks, else the folder itself. A home folder has `.agents` because it is
 * a home: it is a workspace only for who stands in it.
 */
export function findRepo(from: string, homes: readonly string[]): string {
	const passedOver = new Set(homes.map(toRealPath));
	for (let folder = from; ; folder = path.dirname(folder)) {
		const isCandidate = folder === from || !passedOver.has(toRealPath(folder));
		if (isCandidate && [".agents", ".git"].some((mark) => existsSync(path.join(folder, mark)))) return folder;
		if (folder === path.dirname(folder)) return from;
	}
}

function toRealPath(folder: string): string {
	try {
		return realpathSync.native(folder);
	} catch {
		// What is not there is nobody's ancestor.
		return path.resolve(folder);
	}
}
