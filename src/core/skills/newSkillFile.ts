import type { Problem } from "../base/errors.ts";
import { longestDescription } from "./skillFields.ts";
import { findNameProblem } from "./skillName.ts";
import { nativePlace, skillFileName } from "./skillPlaces.ts";
import { yamlText } from "./yamlText.ts";

export interface NewSkillFile {
	/** From the layer's root, with forward slashes. */
	readonly path: string;
	readonly contents: string;
}

/**
 * What *New Skill…* writes for a name and a description that the Agent Skills format allows, or what is wrong with them.
 * Whether there is such a skill already is for the caller to find out.
 */
export function newSkillFile(name: string, description: string): NewSkillFile | { readonly problem: Problem } {
	const nameProblem = findNameProblem(name);
	if (nameProblem !== undefined) {
		const message = `A skill can't be named "${name}": the name ${nameProblem}. Choose one such as "release-notes".`;
		return { problem: { code: "skill.name", message } };
	}
	const text = description.replaceAll(/\s+/gu, " ").trim();
	if (text === "" || text.length > longestDescription) {
		const message = `The description must have between 1 and ${longestDescription} characters; this one has ${text.length}. Say what the skill does and when to use it.`;
		return { problem: { code: "skill.description", message } };
	}
	return { path: `${nativePlace}/${name}/${skillFileName}`, contents: compose(name, text) };
}

function compose(name: string, description: string): string {
	const words = name.replaceAll("-", " ");
	return `---
name: ${yamlText(name)}
description: ${yamlText(description)}
---

# ${words.charAt(0).toUpperCase()}${words.slice(1)}

1. What to do first.
2. What to do next, and how to tell that it went well.

Put long texts into files beside this one, and name them here by their path: they are read when they are needed.
`;
}
