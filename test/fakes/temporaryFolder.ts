import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A folder of the running test's own, by its real path, with these files in it; gone when the test is. */
export function temporaryFolder(files: Files = {}): string {
	const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "muster-test-")));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return withFiles(folder, files);
}

/** Writes files, with the folders that they need; gives the folder back. */
export function withFiles(folder: string, files: Files): string {
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
		writeFileSync(path.join(folder, name), content);
	}
	return folder;
}

/** Makes links, each with its target as it is; gives the folder back. */
export function withLinks(folder: string, links: Readonly<Record<string, string>>): string {
	for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(folder, name));
	return folder;
}
