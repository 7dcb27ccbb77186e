/** How tools read and write the files that the gate has allowed. Paths are real ones. */
export interface FileAccess {
	/** Rejects like `node:fs`, with a `code`. */
	readFile(path: string): Promise<Uint8Array>;
	/**
	 * Puts the whole content in place at once, or not at all, and creates missing folders on the way. Keeps the mode of
	 * an existing file.
	 *
	 * `expectedHash` is that of the content that is to be replaced, and null when there must be no file yet; rejects with a
	 * `FileChangedError` when it is another one.
	 */
	writeFile(path: string, bytes: Uint8Array, options: { readonly expectedHash: string | null }): Promise<void>;
}

/** Somebody else has written, created, moved or removed the file in the meantime. */
export class FileChangedError extends Error {
	constructor(path: string) {
		super(`${path} was changed by somebody else in the meantime`);
		this.name = "FileChangedError";
	}
}
