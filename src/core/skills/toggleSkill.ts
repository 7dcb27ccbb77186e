import { lstat, mkdir, readdir, realpath, rmdir, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, type Problem } from "../base/errors.ts";
import { isInside } from "../base/isInside.ts";
import { findFolderNameProblem } from "./skillName.ts";
import { isSkillFileName, markerName, nativePlace, skillPlaces } from "./skillPlaces.ts";

export type ToggleResult =
	/** Absolute paths of markers; none when everything was as asked for already. */
	| { readonly isDone: true; readonly written: readonly string[]; readonly removed: readonly string[] }
	/** What was removed before it is in the message. */
	| { readonly isDone: false; readonly problem: Problem };

/**
 * Enables or disables a skill for the layers of `roots`, the lowest first, by `.disabled` alone: touches nothing else, and
 * nothing outside of a root, not even through a link.
 *
 * Disabling writes the marker into the `.agents` folder of the highest root, where it masks whatever is below it; so one
 * root disables a skill wherever that root is used, and home and repo disable it in this repo. Enabling removes the
 * markers from the highest place down to the one that has the skill. A marker that is a folder with something in it is
 * left to the user.
 */
export async function toggleSkill(
	name: string,
	to: "enabled" | "disabled",
	roots: readonly string[],
): Promise<ToggleResult> {
	const nameProblem = findFolderNameProblem(name);
	if (nameProblem !== undefined) {
		const message = `There is no skill named ${JSON.stringify(name)}: the name ${nameProblem}.`;
		return { isDone: false, problem: { code: "skill.folderName", message } };
	}
	const root = roots.at(-1);
	if (to === "enabled" || root === undefined) return enable(name, roots);
	return disable(name, root);
}

async function disable(name: string, root: string): Promise<ToggleResult> {
	const marker = join(root, nativePlace, name, markerName);
	try {
		const realRoot = await realpath(root);
		let folder = realRoot;
		for (const step of [...nativePlace.split("/"), name]) {
			folder = join(folder, step);
			await unlessThere(mkdir(folder));
			folder = await realPathInside(realRoot, folder);
		}
		const isNew = await unlessThere(writeFile(join(folder, markerName), "", { flag: "wx" }));
		return { isDone: true, written: isNew ? [marker] : [], removed: [] };
	} catch (error) {
		return describeFailure(`The skill "${name}" was not disabled: ${marker} can't be written`, error, []);
	}
}

async function enable(name: string, roots: readonly string[]): Promise<ToggleResult> {
	const removed: string[] = [];
	for (const root of roots.toReversed()) {
		for (const place of skillPlaces) {
			const folder = join(root, place, name);
			const marker = join(folder, markerName);
			try {
				const names = await namesIn(folder);
				if (names.includes(markerName)) {
					await removeMarker(join(await realPathInside(await realpath(root), folder), markerName));
					removed.push(marker);
				}
				if (names.some(isSkillFileName)) return { isDone: true, written: [], removed };
			} catch (error) {
				return describeFailure(`The skill "${name}" was not enabled: ${marker} can't be removed`, error, removed);
			}
		}
	}
	return { isDone: true, written: [], removed };
}

async function namesIn(folder: string): Promise<readonly string[]> {
	try {
		return await readdir(folder);
	} catch (error) {
		if (isOneOf(error, "ENOENT", "ENOTDIR")) return [];
		throw error;
	}
}

async function realPathInside(root: string, path: string): Promise<string> {
	const real = await realpath(path);
	if (!isInside(root, real)) throw new Error(`it is in ${real}, outside of ${root}`);
	return real;
}

/** Any entry of that name disables, so it need not be a file. */
async function removeMarker(marker: string): Promise<void> {
	const isFolder = (await lstat(marker)).isDirectory();
	await (isFolder ? rmdir(marker) : unlink(marker));
}

async function unlessThere(creation: Promise<unknown>): Promise<boolean> {
	try {
		await creation;
		return true;
	} catch (error) {
		if (isOneOf(error, "EEXIST")) return false;
		throw error;
	}
}

function isOneOf(error: unknown, ...codes: readonly string[]): boolean {
	return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

function describeFailure(what: string, error: unknown, removed: readonly string[]): ToggleResult {
	const before = removed.length === 0 ? "Nothing was changed." : `Removed before that: ${removed.join(", ")}.`;
	const isReadOnly = isOneOf(error, "EROFS", "EACCES", "EPERM");
	const advice = isReadOnly ? "Check the permissions of the folder." : "Remove what is in the way, and try again.";
	const message = `${what}: ${messageOf(error)}. ${before} ${advice}`;
	return { isDone: false, problem: { code: isReadOnly ? "skill.readOnly" : "skill.toggleFailed", message } };
}
