import * as z from "zod";
import type { RunSkills } from "../../skills/runSkills.ts";
import { defineTool } from "../defineTool.ts";
import type { Tool, ToolResult } from "../tool.ts";
import { failed, succeeded } from "../toolResult.ts";

/** The most of a skill's text, or of one of its files, that one call gives. */
const mostBytes = 50 * 1024;

const Input = z.strictObject({
	name: z.string().min(1).max(200).meta({ description: "The skill, as the list of skills names it." }),
	file: z
		.string()
		.min(1)
		.max(1_000)
		.optional()
		.meta({ description: "A file of the skill's folder, e.g. references/guide.md. Without it: the skill's own text." }),
});

/** The skills of a run, step by step: the prompt lists them, a call gives the text of one, another a file beside it. */
export function createSkillTool(skills: RunSkills): Tool {
	return defineTool({
		name: "skill",
		description:
			"Loads a skill: instructions for a particular kind of work. Call it with the name before you begin such work, and follow what comes back. " +
			"With `file` it gives one of the files that the skill refers to. A skill may limit which tools you can use from then on.",
		input: Input,
		// It reaches nothing but the folder of a skill that a person has put there.
		effect: () => ({ kind: "none" }),
		subject: ({ name, file }) => (file === undefined ? name : `${name}: ${file}`),
		execute: ({ name, file }) => (file === undefined ? activate(skills, name) : readFile(skills, name, file)),
	});
}

async function activate(skills: RunSkills, name: string): Promise<ToolResult> {
	const activated = await skills.activate(name);
	if (!activated.ok) return failed(activated.reason);
	const { body, folder, resources, hasMoreResources, allowed } = activated;
	const notes = [`Paths in it are relative to its folder ${folder}.`];
	if (resources.length > 0) {
		const more = hasMoreResources ? "\n- and more" : "";
		const list = resources.map((path) => `- ${path}`).join("\n");
		notes.push(`Its files, each read with skill {name, file} when you need it:\n${list}${more}`);
	}
	if (allowed !== undefined) {
		const limit = `From now on until you are done you can use only: ${allowed.join(", ")}, skill, todo.`;
		notes.push(`${limit} What is not allowed to you anyway stays so.`);
	}
	return succeeded(`<skill-instructions>\n${cut(body.trim())}\n</skill-instructions>\n\n${notes.join("\n\n")}`);
}

async function readFile(skills: RunSkills, name: string, file: string): Promise<ToolResult> {
	const read = await skills.readResource(name, file);
	if (!read.ok) return failed(read.reason);
	return succeeded(read.text === "" ? `${file} is empty.` : cut(read.text));
}

function cut(text: string): string {
	const bytes = Buffer.from(text);
	if (bytes.length <= mostBytes) return text;
	const shown = new TextDecoder().decode(bytes.subarray(0, mostBytes)).replace(/\uFFFD+$/u, "");
	return `${shown}\n\n[Cut off: these are the first 50 KB of ${Math.ceil(bytes.length / 1024)} KB.]`;
}
