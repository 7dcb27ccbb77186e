import { lstat } from "node:fs/promises";
import { explainFileProblem } from "./explainFileProblem.ts";

/** Why ripgrep cannot search there, as the rest of a sentence about the path: it would wait for ever on a pipe. */
export async function findSearchPathProblem(path: string): Promise<string | undefined> {
	try {
		const found = await lstat(path);
		return found.isFile() || found.isDirectory()
			? undefined
			: "is neither a file nor a folder, so it cannot be searched.";
	} catch (error) {
		return explainFileProblem(error);
	}
}

export function isMissingProgram(error: unknown): boolean {
	return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES");
}

/** The lines that fit in so many bytes, from the first on. */
export function takeFitting(lines: readonly string[], maxBytes: number): readonly string[] {
	let bytes = 0;
	const end = lines.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > maxBytes);
	return end === -1 ? lines : lines.slice(0, end);
}
