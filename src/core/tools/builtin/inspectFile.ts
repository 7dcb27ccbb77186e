import { lstat } from "node:fs/promises";
import { explainFileProblem } from "./explainFileProblem.ts";

export type InspectedFile =
	| { readonly kind: "missing" }
	/** `stamp` is another one after each change of the file. */
	| { readonly kind: "file"; readonly size: number; readonly stamp: string }
	/** The rest of a sentence about the path, for the model. */
	| { readonly kind: "unusable"; readonly problem: string };

/** What is at a path that a tool is about to use. */
export async function inspectFile(path: string): Promise<InspectedFile> {
	try {
		const found = await lstat(path, { bigint: true });
		if (found.isDirectory()) return { kind: "unusable", problem: "is a folder. Use the path of a file." };
		if (found.isSymbolicLink()) return { kind: "unusable", problem: "has become a link. Read it again." };
		if (!found.isFile())
			return { kind: "unusable", problem: "is not a regular file (it is a pipe, a socket or a device)." };
		return { kind: "file", size: Number(found.size), stamp: stampOf(found) };
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "missing" };
		return { kind: "unusable", problem: explainFileProblem(error) };
	}
}

export function stampOf(found: { readonly ino: bigint; readonly size: bigint; readonly mtimeNs: bigint }): string {
	return `${found.ino}:${found.size}:${found.mtimeNs}`;
}
