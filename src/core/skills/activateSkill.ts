import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "../base/errors.ts";
import { isInside } from "../base/isInside.ts";
import { readRegularFile } from "../base/readRegularFile.ts";
import { resolveInside } from "../permissions/resolveInside.ts";
import type { Skill } from "./skill.ts";
import { parseSkillFile } from "./skillFile.ts";
import { isSkillFileName } from "./skillPlaces.ts";

export type ActivatedSkill =
	| {
			readonly ok: true;
			/** What the skill says, without its frontmatter. */
			readonly body: string;
			/** Real path, to which the paths in the body are relative. */
			readonly folder: string;
			/** Files beside SKILL.md, from the folder, with forward slashes. None of them has been read. */
			readonly resources: readonly string[];
			readonly hasMoreResources: boolean;
	  }
	/** Written for the model. */
	| { readonly ok: false; readonly reason: string };

export type SkillResource =
	| { readonly ok: true; readonly text: string }
	/** Written for the model. */
	| { readonly ok: false; readonly reason: string };

const mostResources = 100;

/** Reads what a skill says, as its file is now. Never rejects. */
export async function activateSkill(skill: Skill): Promise<ActivatedSkill> {
	const read = await readRegularFile(skill.file, skill.root);
	if ("refusal" in read) return refuse(skill, `its file can't be used. ${read.message}`);
	const parsed = await parseSkillFile(skill, read.bytes);
	if (parsed.skill === undefined) return refuse(skill, parsed.problems.map(({ message }) => message).join(" "));
	try {
		const folder = await realpath(dirname(skill.file));
		const found = await listResources(folder);
		const resources = found.slice(0, mostResources).toSorted();
		return { ok: true, body: parsed.body, folder, resources, hasMoreResources: found.length > mostResources };
	} catch (error) {
		return refuse(skill, `its folder can't be read: ${messageOf(error)}.`);
	}
}

/**
 * Reads a text file beside a skill's SKILL.md. Only what is really in the skill's folder is read, and of that nothing which
 * `isWithheld` says. Never rejects.
 */
export async function readSkillResource(
	skill: Skill,
	path: string,
	isWithheld: (realPath: string) => Promise<boolean> = () => Promise.resolve(false),
): Promise<SkillResource> {
	const folder = await realpath(dirname(skill.file)).catch(() => undefined);
	if (folder === undefined || !isInside(skill.root, folder)) return refuse(skill, "its folder is gone.");
	const resolved = await resolveInside(path, [folder]);
	if (!resolved.ok) return refuseResource(path, skill, "is not in its folder");
	if (await isWithheld(resolved.path)) return refuseResource(path, skill, "may not be read without asking");
	const read = await readRegularFile(resolved.path, folder);
	if ("refusal" in read) return refuseResource(path, skill, `can't be used: ${read.message.replace(/\.$/u, "")}`);
	const text = decodeText(read.bytes);
	return text === undefined ? refuseResource(path, skill, "is not a text file") : { ok: true, text };
}

/** Stops at one more than is shown, so that a large tree costs no more. Folders nearer first; links are not followed. */
async function listResources(folder: string): Promise<readonly string[]> {
	const found: string[] = [];
	const folders = [""];
	for (const current of folders) {
		const entries = await readdir(join(folder, current), { withFileTypes: true });
		for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
			const path = current === "" ? entry.name : `${current}/${entry.name}`;
			if (entry.name.startsWith(".") || (current === "" && isSkillFileName(entry.name))) continue;
			if (entry.isDirectory() && folders.length < mostResources) folders.push(path);
			else if (entry.isFile()) found.push(path);
			if (found.length > mostResources) return found;
		}
	}
	return found;
}

function decodeText(bytes: Uint8Array): string | undefined {
	if (bytes.includes(0)) return undefined;
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function refuse({ name }: Skill, why: string): { readonly ok: false; readonly reason: string } {
	return { ok: false, reason: `The skill "${name}" can't be loaded: ${why} Go on without it, and say so.` };
}

function refuseResource(path: string, { name }: Skill, why: string): { readonly ok: false; readonly reason: string } {
	const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
	const advice = 'Use a path from the folder of the skill, such as "references/guide.md".';
	return { ok: false, reason: `The file ${shown} of the skill "${name}" ${why}. ${advice}` };
}
