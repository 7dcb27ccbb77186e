import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, readlink, realpath, type FileHandle } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isInside } from "../base/isInside.ts";

/** A folder that is held open while something is done to the entries in it. */
export interface OpenFolder {
	/** Whether `at` gives paths below a descriptor, which no rename or link can lead elsewhere. */
	readonly isHeld: boolean;
	/** The path by which an entry is to be used. */
	at(name: string): string;
	/** Whether the folder is still where it was opened, and this file, if given, really in it. */
	isInPlace(file?: FileHandle): Promise<boolean>;
	/** Whether a descriptor is that of this path. Only for a held folder. */
	leadsTo(file: FileHandle, path: string): Promise<boolean>;
	sync(): Promise<void>;
	close(): Promise<void>;
}

interface Options {
	/** Whether missing folders on the way are made. */
	readonly isCreating: boolean;
	readonly platform?: NodeJS.Platform;
}

/** How the names of files begin that exist only until they are renamed. */
export const temporaryPrefix = ".muster-";

const directoryOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens the folder of a real path inside `root`. On Linux it walks name by name, each below the descriptor of the one
 * before, so that a folder swapped for a link on the way is an error and not a detour.
 */
export async function openFolder(
	root: string,
	realPath: string,
	{ isCreating, platform = process.platform }: Options,
): Promise<OpenFolder | "missing" | "changed"> {
	if (realPath === root || !isInside(root, realPath)) return "changed";
	const folder = dirname(realPath);
	return platform === "linux" ? holdFolder(root, folder, isCreating) : nameFolder(folder, isCreating);
}

async function holdFolder(
	root: string,
	folder: string,
	isCreating: boolean,
): Promise<OpenFolder | "missing" | "changed"> {
	let handle = await open(root, directoryOnly);
	let reached = root;
	try {
		for (const name of relative(root, folder).split(sep).filter(Boolean)) {
			// Checked at each step, so that no folder is made below one that has moved outside.
			if (!(await leadsTo(handle, reached))) return await giveUp(handle, "changed");
			const next = await openChild(handle, name, isCreating);
			if (next === undefined) return await giveUp(handle, "missing");
			await handle.close();
			handle = next;
			reached = join(reached, name);
		}
		if (!(await leadsTo(handle, folder))) return await giveUp(handle, "changed");
	} catch (error) {
		await handle.close();
		throw error;
	}
	return heldFolder(handle, folder);
}

function heldFolder(handle: FileHandle, folder: string): OpenFolder {
	return {
		isHeld: true,
		at: (name) => `/proc/self/fd/${handle.fd}/${name}`,
		isInPlace: async (file) =>
			(await leadsTo(handle, folder)) && (file === undefined || dirname(await pathOf(file)) === folder),
		leadsTo,
		sync: () => handle.sync(),
		close: () => handle.close(),
	};
}

async function giveUp<Outcome>(handle: FileHandle, outcome: Outcome): Promise<Outcome> {
	await handle.close();
	return outcome;
}

async function openChild(parent: FileHandle, name: string, isCreating: boolean): Promise<FileHandle | undefined> {
	const path = `/proc/self/fd/${parent.fd}/${name}`;
	try {
		return await open(path, directoryOnly);
	} catch (error) {
		if (!hasCode(error, "ENOENT")) throw error;
		if (!isCreating) return undefined;
	}
	try {
		await mkdir(path);
	} catch (error) {
		if (!hasCode(error, "EEXIST")) throw error;
	}
	return open(path, directoryOnly);
}

async function leadsTo(handle: FileHandle, path: string): Promise<boolean> {
	return (await pathOf(handle)) === path;
}

function pathOf(handle: FileHandle): Promise<string> {
	return readlink(`/proc/self/fd/${handle.fd}`);
}

/** Where descriptors have no paths: uses the folder by its name, and looks at each step whether it is still that folder. */
async function nameFolder(folder: string, isCreating: boolean): Promise<OpenFolder | "missing" | "changed"> {
	if (isCreating) await mkdir(folder, { recursive: true });
	const first = await lstat(folder, { bigint: true }).catch((error: unknown) => {
		if (hasCode(error, "ENOENT")) return undefined;
		throw error;
	});
	if (first === undefined) return "missing";
	const isInPlace = async (file?: FileHandle): Promise<boolean> => {
		const now = await lstat(folder, { bigint: true });
		if (now.ino !== first.ino || now.dev !== first.dev || (await realpath(folder)) !== folder) return false;
		return file === undefined || (await isEntryOf(folder, file));
	};
	if (!(await isInPlace())) return "changed";
	const named: OpenFolder = {
		isHeld: false,
		at: (name) => join(folder, name),
		isInPlace,
		leadsTo: async () => false,
		sync: async () => {},
		close: async () => {},
	};
	return named;
}

/** A file that was just made must be found again in the folder, else it was made elsewhere. */
async function isEntryOf(folder: string, file: FileHandle): Promise<boolean> {
	const made = await file.stat({ bigint: true });
	for (const name of await readdir(folder)) {
		if (!name.startsWith(temporaryPrefix)) continue;
		const entry = await lstat(join(folder, name), { bigint: true }).catch(() => undefined);
		if (entry?.ino === made.ino && entry.dev === made.dev) return true;
	}
	return false;
}

function hasCode(error: unknown, code: string): boolean {
	return error instanceof Error && "code" in error && error.code === code;
}
