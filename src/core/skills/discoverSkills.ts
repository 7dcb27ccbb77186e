import { readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type FrontmatterParser, loadFrontmatterParser } from "../agents/frontmatter.ts";
import { messageOf } from "../base/errors.ts";
import { isInside } from "../base/isInside.ts";
import { loadSkillFile, type SkillCache } from "./loadSkillFile.ts";
import { readSkillFolder, type SkillFolder } from "./readSkillFolder.ts";
import { resolveSkills, type ResolvedSkills, type SkillEntry } from "./resolveSkills.ts";
import type { SkillLayer, SkillOrigin } from "./skill.ts";
import { legacyPlace, nativePlace, skillPlaces } from "./skillPlaces.ts";
import type { SkillProblem } from "./skillProblem.ts";

export interface SkillRoot {
	readonly layer: SkillLayer;
	readonly path: string;
}

const mostFolders = 2_000;
/** So many before others get the thread: a fraction of a frame each. */
const foldersInARow = 16;

/**
 * Finds the skills of all roots, the lowest layer first. Guarantees: never throws; looks into the four places of a root
 * and the folders in them, and nowhere else; one bad skill never keeps another from loading, and every file that does
 * not load is named by one problem; the result depends on the files alone, not on the order in which the disk lists them.
 *
 * Which roots there are, and whether they may be read, is for the caller to know.
 */
export async function discoverSkills(
	roots: readonly SkillRoot[],
	cache: SkillCache = new Map(),
): Promise<ResolvedSkills> {
	const entries: SkillEntry[] = [];
	const problems: SkillProblem[] = [];
	const seen = new Set<string>();
	let parser: Promise<FrontmatterParser> | undefined;
	const load = (origin: SkillOrigin) => loadSkillFile(origin, cache, () => (parser ??= loadFrontmatterParser()));
	for (const place of listPlaces(roots)) {
		const listed = listFolders(place);
		problems.push(...listed.problems);
		for (const [index, folder] of listed.folders.entries()) {
			if (index % foldersInARow === 0) await setImmediate();
			const found = await readSkillFolder(folder, seen, load);
			problems.push(...found.problems);
			if (found.entry === undefined) continue;
			entries.push(found.entry);
			if (place.isLegacy) problems.push(...describeLegacy(found.entry, place.root));
		}
	}
	const resolved = resolveSkills(entries);
	return { ...resolved, problems: [...problems, ...resolved.problems] };
}

interface Place {
	readonly layer: SkillLayer;
	/** Real path. */
	readonly root: string;
	readonly path: string;
	readonly isLegacy: boolean;
}

/** The highest place first. Two roots that are the same folder are one layer, the lower one. */
function listPlaces(roots: readonly SkillRoot[]): readonly Place[] {
	const byRealPath = new Map<string, SkillRoot>();
	for (const root of roots) {
		const real = realPathOf(root.path);
		if (real !== undefined && !byRealPath.has(real)) byRealPath.set(real, root);
	}
	return [...byRealPath]
		.toReversed()
		.flatMap(([root, { layer, path }]) =>
			skillPlaces.map((place) => ({ layer, root, path: join(path, place), isLegacy: place === legacyPlace })),
		);
}

function realPathOf(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch (error) {
		// A root that is not there has no skills; one that is merely unreadable fails again below, where it is reported.
		return isMissing(error) ? undefined : path;
	}
}

interface ListedFolders {
	readonly folders: readonly SkillFolder[];
	readonly problems: readonly SkillProblem[];
}

/** In ordinal order, which is the same on every machine. Files and hidden folders are no skills. */
function listFolders({ layer, root, path }: Place): ListedFolders {
	try {
		const realPath = realpathSync.native(path);
		if (!isInside(root, realPath)) {
			const message = `It links to ${realPath}, outside of ${root}, so no skills are read from it. Copy them instead.`;
			return { folders: [], problems: [{ severity: "error", code: "skill.outside", message, file: path }] };
		}
		const found = readdirSync(realPath, { withFileTypes: true })
			.filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()))
			.map((entry) => ({
				name: entry.name,
				layer,
				root,
				path: join(path, entry.name),
				...(!entry.isSymbolicLink() && { realPath: join(realPath, entry.name) }),
			}))
			.toSorted((one, other) => (one.name < other.name ? -1 : 1));
		const tooMany = found.length > mostFolders ? [describeLimit(path, found.length)] : [];
		return { folders: found.slice(0, mostFolders), problems: tooMany };
	} catch (error) {
		if (isMissing(error)) return { folders: [], problems: [] };
		const message = `This folder of skills can't be read: ${messageOf(error)}. Check it and its permissions.`;
		return { folders: [], problems: [{ severity: "error", code: "skill.unreadable", message, file: path }] };
	}
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function describeLimit(file: string, count: number): SkillProblem {
	const message = `There are ${count} folders here; the first ${mostFolders} by name are read. Remove some.`;
	return { severity: "warning", code: "skill.tooMany", message, file };
}

function describeLegacy({ name, file }: SkillEntry, root: string): SkillProblem[] {
	if (file === undefined) return [];
	const rename = { from: dirname(file), to: join(root, nativePlace, name) };
	const message = `Skills in ${legacyPlace} are still read, but their place is ${nativePlace}. Move this one there.`;
	const fixes = [{ title: "Move to .agents", rename }];
	return [{ severity: "information", code: "skill.legacyPlace", message, file, fixes }];
}
