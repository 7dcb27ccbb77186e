import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";

/** What tells one file from another, whatever it is called, and how many names it has. */
export interface FileIdentity {
	readonly dev: bigint;
	readonly ino: bigint;
	readonly nlink: bigint;
}

/**
 * Tells Muster's own files by device and inode, whatever name they are found under: those of this store, and of every other
 * in the data folder where a second name may be one of theirs. It opens none of them: merely closing one again would free
 * the locks that a process holds.
 */
export function ownFiles(storeFolder: string, dataFolder: string): (file: FileIdentity) => boolean {
	return (file) => {
		if (hasFile(storeFolder, file)) return true;
		// Under its only name a file of another store lies where no tool looks.
		if (file.nlink < 2n) return false;
		const workspaces = path.join(dataFolder, "workspaces");
		return hasOwnFile(dataFolder, file) || foldersIn(workspaces).some((folder) => hasFile(folder, file));
	};
}

function hasFile(storeFolder: string, file: FileIdentity): boolean {
	return [storeFolder, path.join(storeFolder, "hosts")].some((folder) => hasOwnFile(folder, file));
}

function hasOwnFile(folder: string, { dev, ino }: FileIdentity): boolean {
	return entriesOf(folder).some((entry) => {
		if (!entry.isFile()) return false;
		const stats = lstatSync(path.join(folder, entry.name), { bigint: true, throwIfNoEntry: false });
		return stats?.dev === dev && stats.ino === ino;
	});
}

function foldersIn(folder: string): string[] {
	return entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [path.join(folder, entry.name)] : []));
}

/** Another store may not be there yet, or any more. */
function entriesOf(folder: string) {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
		throw error;
	}
}
