import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import { isInside } from "../base/isInside.ts";
import type { LoadedSkill } from "./loadSkillFile.ts";
import type { SkillEntry } from "./resolveSkills.ts";
import type { SkillLayer, SkillOrigin } from "./skill.ts";
import { findFolderNameProblem } from "./skillName.ts";
import { isSkillFileName, markerName } from "./skillPlaces.ts";
import type { SkillProblem } from "./skillProblem.ts";

export interface SkillFolder {
	readonly name: string;
	readonly layer: SkillLayer;
	/** Real path of the layer's root. */
	readonly root: string;
	readonly path: string;
	/** Absent for a link, until it is followed. */
	readonly realPath?: string;
}

export interface ReadFolder {
	/** Absent when the folder says nothing about a skill. */
	readonly entry?: SkillEntry;
	readonly problems: readonly SkillProblem[];
}

/**
 * Reads what one folder says about the skill of its name. Never throws; lists the folder and reads its SKILL.md, and
 * nothing else in it. `seen` is of all folders so far: one that is reached again, through a link, counts once.
 * Like all reading of small files here it does not wait for the disk, which takes a tenth of the time.
 */
export async function readSkillFolder(
	folder: SkillFolder,
	seen: Set<string>,
	load: (origin: SkillOrigin) => Promise<LoadedSkill>,
): Promise<ReadFolder> {
	const listed = listFolder(folder);
	if ("problem" in listed) return { problems: [listed.problem] };
	const { names, realPath } = listed;
	const [fileName, ...otherNames] = names.filter(isSkillFileName).toSorted();
	const hasMarker = names.includes(markerName);
	const key = JSON.stringify([folder.name, realPath]);
	if ((fileName === undefined && !hasMarker) || seen.has(key)) return { problems: [] };
	seen.add(key);

	const { name, layer, root, path } = folder;
	const nameProblem = findFolderNameProblem(name);
	if (nameProblem !== undefined) return { problems: [describeName(folder, nameProblem)] };
	const entry = { name, layer, ...(hasMarker && { marker: join(path, markerName) }) };
	if (fileName === undefined) return { entry, problems: [] };
	const file = join(path, fileName);
	const { skill, problems } = await load({ name, layer, root, file });
	return {
		entry: { ...entry, file, ...(skill !== undefined && { skill }) },
		// Whoever disables a skill need not hear what is wrong with it.
		problems: hasMarker ? [] : [...problems, ...otherNames.map((other) => describeSecond(join(path, other), file))],
	};
}

type Listed = { readonly names: readonly string[]; readonly realPath: string } | { readonly problem: SkillProblem };

function listFolder({ path, realPath, root }: SkillFolder): Listed {
	const isLink = realPath === undefined;
	try {
		const real = realPath ?? realpathSync.native(path);
		if (isLink && !isInside(root, real)) {
			return { problem: refuse("skill.outside", path, `It links to ${real}, outside of ${root}. Copy it instead.`) };
		}
		return { names: readdirSync(real), realPath: real };
	} catch (error) {
		// A link to a file is no folder of a skill, and a folder that has just gone is none any more.
		if (error instanceof Error && "code" in error && error.code === (isLink ? "ENOTDIR" : "ENOENT")) {
			return { names: [], realPath: path };
		}
		const message = `This folder can't be read: ${messageOf(error)}. Check it and its permissions.`;
		return { problem: refuse("skill.unreadable", path, message) };
	}
}

function describeName({ name, path }: SkillFolder, problem: string): SkillProblem {
	return refuse("skill.folderName", path, `The folder's name ${JSON.stringify(name)} ${problem}. Rename it.`);
}

function describeSecond(file: string, used: string): SkillProblem {
	return refuse("skill.secondFile", file, `It is not read, because ${used} is beside it. Remove one of them.`);
}

function refuse(code: string, file: string, message: string): SkillProblem {
	return { severity: "error", code, message, file };
}
