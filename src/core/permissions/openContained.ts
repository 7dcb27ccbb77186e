import { hashBytes } from "../base/hashBytes.ts";
import { createHash, randomBytes } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import { link, lstat, open, rename, unlink, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { openFolder, temporaryPrefix, type OpenFolder } from "./openFolder.ts";

export interface ContainedOptions {
	/** Whether a file is one that nobody may open here, by device and inode: closing it would free its owner's locks. */
	readonly isForbiddenFile?: (file: BigIntStats) => boolean;
	/** How to hold on to a folder; Linux has a way that leaves no gap. */
	readonly platform?: NodeJS.Platform;
}

export type ContainedRead =
	/** `isWhole` when there is no more than these bytes. */
	{ readonly ok: true; readonly bytes: Buffer; readonly isWhole: boolean; readonly hash: string } | Refused;

export type ContainedWrite = { readonly ok: true; readonly hash: string } | Refused;

export interface Refused {
	readonly ok: false;
	readonly code: "missing" | "changed" | "forbidden" | "notRegular" | "failed";
	/** The rest of a sentence about the file. */
	readonly problem: string;
}

/**
 * Reads a file of the workspace by the real path that the gate has checked. Whatever another process does to the
 * folders on the way, on Linux nothing outside `root` is read; elsewhere the gap is small.
 */
export async function readContained(
	root: string,
	realPath: string,
	options: ContainedOptions & { readonly maxBytes: number },
): Promise<ContainedRead> {
	return inFolder(root, realPath, { ...options, isCreating: false }, async (folder) => {
		const opened = await openFile(folder, realPath, options);
		if (!opened.ok) return opened;
		try {
			const bytes = await readAtMost(opened.handle, options.maxBytes + 1);
			const isWhole = bytes.length <= options.maxBytes;
			const given = isWhole ? bytes : bytes.subarray(0, options.maxBytes);
			return { ok: true, bytes: given, isWhole, hash: hashBytes(given) };
		} finally {
			await opened.handle.close();
		}
	});
}

/**
 * Replaces or creates a file of the workspace in one step, with the old file's mode. `expectedHash` is that of the
 * content which was there when the change was decided, `undefined` when there was no file: anything else refuses.
 */
export async function writeContained(
	root: string,
	realPath: string,
	bytes: Uint8Array,
	options: ContainedOptions & { readonly expectedHash: string | undefined },
): Promise<ContainedWrite> {
	return inFolder(root, realPath, { ...options, isCreating: true }, async (folder) => {
		const before = await findCurrent(folder, realPath, options);
		if (!before.ok) return before;
		const temporary = folder.at(`${temporaryPrefix}${randomBytes(9).toString("hex")}.tmp`);
		// Nobody but us reads it before it has its final mode; a new file gets what the umask leaves.
		const handle = await open(temporary, createOnly, before.mode === undefined ? 0o666 : 0o600);
		try {
			if (!(await folder.isInPlace(handle))) return changed;
			await handle.writeFile(bytes);
			if (before.mode !== undefined) await handle.chmod(before.mode);
			await handle.sync();
			const after = await findCurrent(folder, realPath, options);
			if (!after.ok) return after;
			if (!(await folder.isInPlace(handle))) return changed;
			await putInPlace(temporary, folder.at(basename(realPath)), before.mode === undefined);
			await folder.sync();
			return { ok: true, hash: hashBytes(bytes) };
		} finally {
			await handle.close();
			// Gone already after a rename.
			await unlink(temporary).catch(ignoreMissing);
		}
	});
}

/** A link, unlike a rename, never replaces a file that has just appeared; some file systems have none. */
async function putInPlace(temporary: string, name: string, isNew: boolean): Promise<void> {
	if (isNew) {
		try {
			await link(temporary, name);
			return;
		} catch (error) {
			if (!(error instanceof Error && "code" in error && linkless.includes(String(error.code)))) throw error;
		}
	}
	await rename(temporary, name);
}

const linkless: readonly string[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];
const createOnly = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Linux: names a file without opening it, so that closing it again frees no lock. Node does not name the flag. */
const pathOnly = 0o10000000 | constants.O_NOFOLLOW;

const changed: Refused = { ok: false, code: "changed", problem: "changed while it was being opened. Try again." };
const missing: Refused = { ok: false, code: "missing", problem: "does not exist." };

type Current = { readonly ok: true; readonly mode: number | undefined } | Refused;

/** The mode of the file that is there, when it is the expected one; no mode when none is there, as expected. */
async function findCurrent(
	folder: OpenFolder,
	realPath: string,
	options: ContainedOptions & { readonly expectedHash: string | undefined },
): Promise<Current> {
	const opened = await openFile(folder, realPath, options);
	if (!opened.ok) {
		return opened.code === "missing" && options.expectedHash === undefined ? { ok: true, mode: undefined } : opened;
	}
	try {
		if (options.expectedHash === undefined) return { ...changed, problem: "exists already. Read it first." };
		const hash = createHash("sha256");
		for await (const chunk of opened.handle.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
		if (hash.digest("hex") !== options.expectedHash) {
			return { ...changed, problem: "was changed by somebody else meanwhile. Read it again." };
		}
		return { ok: true, mode: Number(opened.stats.mode & 0o777n) };
	} finally {
		await opened.handle.close();
	}
}

type OpenedFile = { readonly ok: true; readonly handle: FileHandle; readonly stats: BigIntStats } | Refused;

async function openFile(folder: OpenFolder, realPath: string, options: ContainedOptions): Promise<OpenedFile> {
	const name = folder.at(basename(realPath));
	if (!folder.isHeld)
		return openChecked(name, folder, await lstat(name, { bigint: true }).catch(nothingIfMissing), options);
	const handle = await open(name, pathOnly).catch(nothingIfMissing);
	if (handle === undefined) return missing;
	try {
		// Through its descriptor the very file is opened that was looked at.
		return await openChecked(
			`/proc/self/fd/${handle.fd}`,
			folder,
			await handle.stat({ bigint: true }),
			options,
			realPath,
		);
	} finally {
		await handle.close();
	}
}

/** Opens what `seen` describes. `heldPath` is where a descriptor must lead. */
async function openChecked(
	name: string,
	folder: OpenFolder,
	seen: BigIntStats | undefined,
	{ isForbiddenFile }: ContainedOptions,
	heldPath?: string,
): Promise<OpenedFile> {
	if (seen === undefined) return missing;
	if (isForbiddenFile?.(seen) === true) {
		return { ok: false, code: "forbidden", problem: "is one of Muster's own files and is never opened." };
	}
	if (seen.isSymbolicLink()) return changed;
	if (!seen.isFile()) return { ok: false, code: "notRegular", problem: "is not a regular file." };
	const handle = await open(name, heldPath === undefined ? readOnly : readOnly & ~constants.O_NOFOLLOW);
	try {
		const stats = await handle.stat({ bigint: true });
		const isSame = stats.dev === seen.dev && stats.ino === seen.ino;
		const isInPlace = await (heldPath === undefined ? folder.isInPlace() : folder.leadsTo(handle, heldPath));
		if (isSame && isInPlace) return { ok: true, handle, stats };
	} catch (error) {
		await handle.close();
		throw error;
	}
	await handle.close();
	return changed;
}

async function inFolder<Result>(
	root: string,
	realPath: string,
	options: ContainedOptions & { readonly isCreating: boolean },
	act: (folder: OpenFolder) => Promise<Result | Refused>,
): Promise<Result | Refused> {
	try {
		const folder = await openFolder(root, realPath, options);
		if (folder === "missing") return missing;
		if (folder === "changed") return changed;
		try {
			return await act(folder);
		} finally {
			await folder.close();
		}
	} catch (error) {
		const code = error instanceof Error && "code" in error ? String(error.code) : "";
		if (code === "ENOTDIR")
			return { ...changed, problem: "has something on its path that is not a folder, or was just changed." };
		if (code === "ENOENT" || code === "ELOOP" || code === "EEXIST") return changed;
		if (code === "") throw error;
		return { ok: false, code: "failed", problem: `cannot be used (${code}).` };
	}
}

async function readAtMost(handle: FileHandle, maxBytes: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	while (length < maxBytes) {
		const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(65_536, maxBytes - length)));
		if (bytesRead === 0) break;
		chunks.push(buffer.subarray(0, bytesRead));
		length += bytesRead;
	}
	return Buffer.concat(chunks);
}

function nothingIfMissing(error: unknown): undefined {
	if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
		return undefined;
	throw error;
}

function ignoreMissing(error: unknown): void {
	nothingIfMissing(error);
}
