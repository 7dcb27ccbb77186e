import { mkdir, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import type { ArtefactRecorder } from "../ports/artefacts.ts";

/** Keeps each artefact as a file of that folder. A name that is taken gets a number. */
export function folderArtefacts(folder: string): ArtefactRecorder {
	return {
		async attach({ name, bytes }) {
			await mkdir(folder, { recursive: true, mode: 0o700 });
			// Only letters that are a plain name on every system, whatever the model called it.
			const { name: stem, ext } = parse(
				name.replaceAll(/[^\p{L}\p{N}._ -]/gu, "_").replace(/^\.+/u, "_") || "artefact",
			);
			for (let count = 1; ; count++) {
				const path = join(folder, count === 1 ? `${stem}${ext}` : `${stem}-${count}${ext}`);
				try {
					await writeFile(path, bytes, { flag: "wx", mode: 0o600 });
					return { path, size: bytes.length };
				} catch (error) {
					if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
				}
			}
		},
	};
}
