import { statSync, type Stats } from "node:fs";
import type { FrontmatterParser } from "../agents/frontmatter.ts";
import { readSourceFile } from "../agents/readSourceFile.ts";
import type { Skill, SkillOrigin } from "./skill.ts";
import { parseSkillFile } from "./skillFile.ts";
import { type SkillProblem, toSkillProblem } from "./skillProblem.ts";

export interface LoadedSkill {
	/** Absent when the file does not load. */
	readonly skill?: Skill;
	readonly problems: readonly SkillProblem[];
}

/** What was read of each file, and in which state it was. Whoever discovers skills more than once keeps one. */
export type SkillCache = Map<string, { readonly stamp: string; readonly loaded: LoadedSkill }>;

/** Reads a skill's file, unless it is as it was when the cache heard of it. Never throws. */
export async function loadSkillFile(
	origin: SkillOrigin,
	cache: SkillCache,
	loadParser: () => Promise<FrontmatterParser>,
): Promise<LoadedSkill> {
	const { file, root } = origin;
	const cached = cache.get(file);
	if (cached !== undefined && cached.stamp === stampOf(origin, statusOf(file))) return cached.loaded;
	const source = readSourceFile(file, root);
	if ("problem" in source) return { problems: [toSkillProblem(source.problem, file)] };
	const { skill, problems } = await parseSkillFile(origin, source.bytes, await loadParser());
	const loaded = { ...(skill !== undefined && { skill }), problems };
	cache.set(file, { stamp: stampOf(origin, source.status), loaded });
	return loaded;
}

/** Differs whenever the file may: replaced, written to, or another one behind a link. */
function stampOf({ layer, root }: SkillOrigin, status: Stats | undefined): string {
	return [layer, root, status?.dev, status?.ino, status?.size, status?.mtimeMs, status?.ctimeMs].join(":");
}

/** Undefined when it can't be had: reading the file says why. */
function statusOf(file: string): Stats | undefined {
	try {
		return statSync(file, { throwIfNoEntry: false });
	} catch (error) {
		if (error instanceof Error && "code" in error) return undefined;
		throw error;
	}
}
