/** Whose skill it is: the user's own, a role pack's, or the open folder's. */
export type SkillLayer = "home" | "role" | "repo";

/** Where a skill comes from. */
export interface SkillOrigin {
	/** The name of its folder. It is the key: two skills of this name are the same skill in two layers. */
	readonly name: string;
	readonly layer: SkillLayer;
	/** Real path of the layer's root. Nothing outside of it is read for the skill. */
	readonly root: string;
	/** Absolute path of its SKILL.md. */
	readonly file: string;
}

/**
 * A skill as its file's frontmatter describes it. The text below is not kept: it is read when a skill is activated, as it
 * is then.
 */
export interface Skill extends SkillOrigin {
	readonly description: string;
	/** The name that the file gives, where it is another than the folder's. */
	readonly declaredName?: string;
	readonly license?: string;
	readonly compatibility?: string;
	readonly metadata?: Readonly<Record<string, unknown>>;
	/** As written, such as `Bash(git diff:*)`. It only narrows what the agent may use; it grants nothing. */
	readonly allowedTools?: readonly string[];
	/** Every other key of the frontmatter, and those whose value is not of the right kind. */
	readonly extra: Readonly<Record<string, unknown>>;
}
