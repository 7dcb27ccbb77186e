import type { Skill } from "./skill.ts";
import { longestDescription } from "./skillFields.ts";

/** How long descriptions may be, tried in this order. Without any, a name alone may still remind the model of one. */
const descriptionLengths = [longestDescription, 512, 256, 128, 64, 0];

/**
 * What a system prompt says about skills: name and description of each, by name. At most `budget` characters: where they
 * do not fit, all descriptions are shortened alike before any skill is left out, and a note says what is missing. Empty
 * when there is no skill to tell of, or no room. Skills whose author keeps them from models are not told of.
 */
export function renderSkillCatalog(skills: readonly Skill[], budget: number): string {
	const listed = skills
		.filter(({ extra }) => extra["disable-model-invocation"] !== true)
		.toSorted((one, other) => (one.name < other.name ? -1 : 1));
	if (listed.length === 0) return "";
	for (const length of descriptionLengths) {
		const lines = listed.map((skill) => describeSkill(skill, length));
		const text = compose(lines, length < longestDescription ? shortenedNote : "");
		if (text.length <= budget) return text;
	}
	return renderNames(listed, budget);
}

function renderNames(skills: readonly Skill[], budget: number): string {
	const lines: string[] = [];
	let room = budget - compose([], describeRest(skills.length)).length;
	for (const skill of skills) {
		const line = describeSkill(skill, 0);
		room -= line.length + 1;
		if (room < 0) break;
		lines.push(line);
	}
	return lines.length === 0 ? "" : compose(lines, describeRest(skills.length - lines.length));
}

const introduction = `# Skills

Instructions for particular kinds of work. When the task fits one, call \`skill\` with its name before you begin, and follow what it says.
`;

const shortenedNote = "\nDescriptions are shortened. A skill says more when you load it.";

function describeRest(count: number): string {
	return `\n${count} more skills are not listed for lack of room. Load one by its name if you are told of it.`;
}

function compose(lines: readonly string[], note: string): string {
	return [introduction, ...lines, ...(note === "" ? [] : [note])].join("\n");
}

/** One line each, so that no description can pass for another skill or for the end of the list. */
function describeSkill({ name, description }: Skill, length: number): string {
	const text = description.replaceAll(/\s+/gu, " ");
	if (length === 0) return `- ${name}`;
	return `- ${name}: ${text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text}`;
}
