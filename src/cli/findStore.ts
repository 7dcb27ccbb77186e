import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { storeFolder } from "../core/store/storeFolder.ts";

export interface StoreOptions {
	readonly repo?: string | undefined;
	readonly data?: string | undefined;
	readonly store?: string | undefined;
}

/** The store that a call is about. */
export function findStore(options: StoreOptions): string {
	if (options.store !== undefined) return path.resolve(options.store);
	const data = options.data ?? process.env["MUSTER_DATA_DIR"] ?? path.join(os.homedir(), ".muster");
	return storeFolder(path.resolve(data), path.resolve(options.repo ?? findRepo(process.cwd())));
}

/** The nearest ancestor that is a workspace by its looks, else the folder itself. */
export function findRepo(from: string): string {
	for (let folder = from; ; folder = path.dirname(folder)) {
		if ([".agents", ".git"].some((mark) => existsSync(path.join(folder, mark)))) return folder;
		if (folder === path.dirname(folder)) return from;
	}
}
