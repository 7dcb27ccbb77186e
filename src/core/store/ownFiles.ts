import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";

/**
 * Tells the store's own files by device and inode, whatever name they are found under. It opens none of them: merely closing
 * one again would free the locks that this process holds.
 */
export function ownFiles(storeFolder: string): (device: bigint, inode: bigint) => boolean {
	return (device, inode) =>
		[storeFolder, path.join(storeFolder, "hosts")].some((folder) =>
			filesIn(folder).some((file) => {
				const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
				return stats?.dev === device && stats.ino === inode;
			}),
		);
}

function filesIn(folder: string): string[] {
	const entries = readdirSync(folder, { withFileTypes: true });
	return entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name));
}
