/** Muster's own, and the only one that it writes to. */
export const nativePlace = ".agents/skills";

/** From before `.agents`. */
export const legacyPlace = ".goclaw/skills";

/** Where skills are in a layer's root, the highest first. */
export const skillPlaces: readonly string[] = [nativePlace, ".claude/skills", ".github/skills", legacyPlace];

/** The file that makes a folder a skill. */
export const skillFileName = "SKILL.md";

/** `SKILL.md`, or the same in other letters, which loads with a warning. */
export function isSkillFileName(name: string): boolean {
	return name.toLowerCase() === "skill.md";
}

/** What disables the skill of the folder that it is in, and of its name in lower places. */
export const markerName = ".disabled";
