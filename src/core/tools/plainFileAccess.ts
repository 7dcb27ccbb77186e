import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, link, lstat, mkdir, open, realpath, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hashBytes } from "../base/hashBytes.ts";
import { type FileAccess, FileChangedError } from "../ports/fileAccess.ts";

const readWithoutSurprise = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** File access that checks the real path before it reads or writes, which narrows a race and does not close it. */
export const plainFileAccess: FileAccess = {
	async readFile(path) {
		const handle = await open(path, readWithoutSurprise);
		try {
			if (!(await handle.stat()).isFile()) throw new Error(`${path} is not a regular file`);
			if ((await realpath(path)) !== path) throw new FileChangedError(path);
			return await handle.readFile();
		} finally {
			await handle.close();
		}
	},

	async writeFile(path, bytes, { expectedHash }) {
		const folder = dirname(path);
		await mkdir(folder, { recursive: true });
		if ((await realpath(folder)) !== folder) throw new FileChangedError(path);
		const mode = expectedHash === null ? undefined : await modeOf(path);
		const temporary = join(folder, `.${basename(path).slice(0, 100)}.${randomUUID().slice(0, 8)}.tmp`);
		try {
			await writeNew(temporary, bytes, mode);
			if ((await realpath(folder)) !== folder) throw new FileChangedError(path);
			if (expectedHash === null) return await putNew(temporary, path);
			if (hashBytes(await plainFileAccess.readFile(path)) !== expectedHash) throw new FileChangedError(path);
			await rename(temporary, path);
		} finally {
			await unlink(temporary).catch(ignoreMissing);
		}
	},
};

/** Of a file that may be replaced: a read-only one could be, by its folder, but nobody wants that. */
async function modeOf(path: string): Promise<number> {
	try {
		const { mode } = await lstat(path);
		await access(path, constants.W_OK);
		return mode & 0o7777;
	} catch (error) {
		throw isCode(error, "ENOENT") ? new FileChangedError(path) : error;
	}
}

async function writeNew(path: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
	const handle = await open(path, "wx");
	try {
		await handle.writeFile(bytes);
		if (mode !== undefined) await handle.chmod(mode);
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** Unlike a rename, a link never replaces what is there. */
async function putNew(temporary: string, path: string): Promise<void> {
	try {
		await link(temporary, path);
	} catch (error) {
		if (isCode(error, "EEXIST")) throw new FileChangedError(path);
		// Some file systems have no links.
		if (!isCode(error, "EPERM") && !isCode(error, "ENOTSUP")) throw error;
		if (await exists(path)) throw new FileChangedError(path);
		await rename(temporary, path);
	}
}

async function exists(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch (error) {
		if (isCode(error, "ENOENT")) return false;
		throw error;
	}
}

function ignoreMissing(error: unknown): void {
	if (!isCode(error, "ENOENT")) throw error;
}

function isCode(error: unknown, code: string): boolean {
	return error instanceof Error && "code" in error && error.code === code;
}
