import { parse } from "node:path";
import { isInside } from "../base/isInside.ts";
import { type FileAccess, FileChangedError } from "../ports/fileAccess.ts";
import { readContained, writeContained, type ContainedOptions, type Refused } from "./openContained.ts";

/** No tool reads or writes more in one piece. */
const maxBytes = 10 * 1024 * 1024;

/** Reads and writes below the descriptor of the right folder, so that nothing leads elsewhere between check and use. */
export function containedFileAccess(roots: readonly string[], options: ContainedOptions = {}): FileAccess {
	// What a person has allowed outside every root is held to its own folder.
	const rootOf = (path: string) => roots.find((root) => isInside(root, path) && root !== path) ?? parse(path).root;
	return {
		async readFile(path) {
			const read = await readContained(rootOf(path), path, { ...options, maxBytes });
			if (!read.ok) throw toError(path, read);
			if (!read.isWhole) throw new Error(`${path} is larger than 10 MB`);
			return read.bytes;
		},
		async writeFile(path, bytes, { expectedHash }) {
			const written = await writeContained(rootOf(path), path, bytes, {
				...options,
				expectedHash: expectedHash ?? undefined,
			});
			if (!written.ok) throw toError(path, written);
		},
	};
}

function toError(path: string, { code, problem }: Refused): Error {
	if (code === "changed" || code === "missing") return new FileChangedError(path);
	return new Error(`${path} ${problem}`);
}
