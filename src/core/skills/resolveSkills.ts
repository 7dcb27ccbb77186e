import type { Skill, SkillLayer } from "./skill.ts";
import type { SkillProblem } from "./skillProblem.ts";

/** What one folder of a layer says about the skill of its name. */
export interface SkillEntry {
	readonly name: string;
	readonly layer: SkillLayer;
	/** Absolute path of `.disabled`, whatever it is. */
	readonly marker?: string;
	/** Absolute path of its SKILL.md. */
	readonly file?: string;
	/** Absent when there is no file, or it does not load. */
	readonly skill?: Skill;
}

export interface ActiveSkill extends Skill {
	/** The files of lower places that it replaces, the highest first. */
	readonly shadows: readonly string[];
}

/** A skill that is there, and why it is not used. */
export interface UnusedSkill {
	readonly name: string;
	readonly layer: SkillLayer;
	readonly file: string;
	readonly description?: string;
	readonly reason: "disabled" | "shadowed";
	/** The marker that disables it, or the file that is used instead. */
	readonly by: string;
}

export interface ResolvedSkills {
	/** By name, each name once. */
	readonly skills: readonly ActiveSkill[];
	/** By name, and the highest place first. */
	readonly unused: readonly UnusedSkill[];
	readonly problems: readonly SkillProblem[];
}

/**
 * Decides which skill of each name is used. `entries` come the highest place first, and the highest that says anything
 * decides: a marker that there is no such skill, a file that it is this one. So a marker masks what is below it, and a
 * skill is used whatever markers are below. A file that does not load says nothing.
 */
export function resolveSkills(entries: readonly SkillEntry[]): ResolvedSkills {
	const byName = Map.groupBy(entries, ({ name }) => name);
	const resolved = [...byName.keys()].toSorted().map((name) => resolveOne(byName.get(name) ?? []));
	return {
		skills: resolved.flatMap(({ skills }) => skills),
		unused: resolved.flatMap(({ unused }) => unused),
		problems: resolved.flatMap(({ problems }) => problems),
	};
}

function resolveOne(entries: readonly SkillEntry[]): ResolvedSkills {
	const decisive = entries.find(({ marker, skill }) => marker !== undefined || skill !== undefined);
	if (decisive === undefined) return { skills: [], unused: [], problems: [] };
	const { marker, skill } = decisive;
	const unused = entries
		.filter((entry) => entry !== decisive || marker !== undefined)
		.flatMap((entry) => explainUnused(entry, marker, decisive.file));
	const shadows = unused.filter(({ reason }) => reason === "shadowed").map(({ file }) => file);
	return {
		skills: marker === undefined && skill !== undefined ? [{ ...skill, shadows }] : [],
		unused,
		problems: marker === undefined ? [] : explainMask(marker, decisive.layer, unused),
	};
}

function explainUnused(entry: SkillEntry, decisiveMarker?: string, decisiveFile?: string): UnusedSkill[] {
	const { name, layer, file, skill } = entry;
	const marker = entry.marker ?? decisiveMarker;
	const by = marker ?? decisiveFile;
	// A file that does not load has a problem of its own, unless a marker beside it says that it need not.
	if (file === undefined || by === undefined || (skill === undefined && entry.marker === undefined)) return [];
	const reason = marker === undefined ? "shadowed" : "disabled";
	return [{ name, layer, file, ...(skill !== undefined && { description: skill.description }), reason, by }];
}

/** One layer's marker that takes away another's skill is said aloud: who put it there may not be who misses the skill. */
function explainMask(marker: string, layer: SkillLayer, unused: readonly UnusedSkill[]): SkillProblem[] {
	const masked = unused.find((skill) => skill.by === marker && skill.layer !== layer);
	if (masked === undefined) return [];
	const message = `This disables the skill "${masked.name}" of ${masked.file}. Remove it to use the skill here.`;
	const remedies = [{ kind: "openFile", path: masked.file }] as const;
	return [{ severity: "warning", code: "skill.masked", message, file: marker, remedies }];
}
