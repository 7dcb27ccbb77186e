import { existsSync, renameSync } from "node:fs";
import path from "node:path";

/**
 * Gives a database that cannot be used another name, with what belongs to it. Nothing is opened, read or overwritten.
 * Returns the new name.
 */
export function setAside(folder: string, stamp: string): string {
	const kept = findFreeName(folder, `muster.damaged-${stamp}`);
	// The database itself last: what it leaves behind would be taken for the next one's log, and played back into it.
	for (const suffix of ["-wal", "-shm", ""]) {
		const from = path.join(folder, `muster.db${suffix}`);
		if (existsSync(from)) renameSync(from, path.join(folder, `${kept}${suffix}`));
	}
	return path.join(folder, kept);
}

function findFreeName(folder: string, name: string): string {
	for (let count = 1; ; count++) {
		const candidate = count === 1 ? `${name}.db` : `${name}-${count}.db`;
		if (["-wal", "-shm", ""].every((suffix) => !existsSync(path.join(folder, `${candidate}${suffix}`))))
			return candidate;
	}
}
