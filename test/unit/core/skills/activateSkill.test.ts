import { chmodSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { activateSkill, readSkillResource } from "../../../../src/core/skills/activateSkill.ts";
import { discoverSkills } from "../../../../src/core/skills/discoverSkills.ts";
import type { Skill } from "../../../../src/core/skills/skill.ts";
import { temporaryFolder, withFiles, withLinks } from "../../../fakes/temporaryFolder.ts";
import { skillText } from "./skillText.ts";

async function aSkill(files: Readonly<Record<string, string | Uint8Array>> = {}) {
	const root = temporaryFolder({ ".agents/skills/x/SKILL.md": skillText("x", "", "Read references/guide.md.\n") });
	const folder = withFiles(join(root, ".agents/skills/x"), files);
	const [skill] = (await discoverSkills([{ layer: "repo", path: root }])).skills;
	if (skill === undefined) throw new Error("The skill does not load");
	return { skill: skill as Skill, folder, root };
}

describe("activateSkill", () => {
	it("gives the body, the folder and what is in it", async () => {
		const { skill, folder } = await aSkill({
			"references/guide.md": "Guide",
			"scripts/run.sh": "",
			"LICENSE.txt": "",
			".hidden": "",
		});
		expect(await activateSkill(skill)).toEqual({
			ok: true,
			body: "\nRead references/guide.md.\n",
			folder,
			resources: ["LICENSE.txt", "references/guide.md", "scripts/run.sh"],
			hasMoreResources: false,
		});
	});

	it("gives the text as it is now, not as it was when it was found (S11, S12)", async () => {
		const { skill } = await aSkill();
		writeFileSync(skill.file, skillText("x", "", "Changed.\n"));
		expect(await activateSkill(skill)).toMatchObject({ ok: true, body: "\nChanged.\n" });
	});

	it("tells the model when the skill has gone bad, or is gone", async () => {
		const { skill, root } = await aSkill();
		writeFileSync(skill.file, "broken");
		const bad = await activateSkill(skill);
		expect(bad).toMatchObject({ ok: false, reason: expect.stringContaining("Go on without it") as string });
		expect(await activateSkill({ ...skill, file: join(root, "missing/SKILL.md") })).toMatchObject({ ok: false });
	});

	it("reads no other file, follows no link, and lists no more than a hundred (S07)", async () => {
		const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`assets/${1000 + index}.txt`, ""]));
		const { skill, folder } = await aSkill({ ...many, run: "\u007FELF", "model.bin": "" });
		chmodSync(join(folder, "run"), 0o4755);
		truncateSync(join(folder, "model.bin"), 524_288_000);
		withLinks(folder, { loop: ".", out: "/" });
		const activated = await activateSkill(skill);
		if (!activated.ok) throw new Error(activated.reason);
		expect(activated.hasMoreResources).toBe(true);
		expect(activated.resources).toHaveLength(100);
		expect(activated.resources.filter((path) => !path.startsWith("assets/"))).toEqual(["model.bin", "run"]);
	});
});

describe("readSkillResource", () => {
	it("reads a file by its path from the skill's folder", async () => {
		const { skill } = await aSkill({ "references/guide.md": "Guide" });
		expect(await readSkillResource(skill, "references/guide.md")).toEqual({ ok: true, text: "Guide" });
		expect(await readSkillResource(skill, "./references/../references/guide.md")).toEqual({ ok: true, text: "Guide" });
	});

	it.for([
		"../../../../etc/passwd",
		"../y/SKILL.md",
		"/etc/passwd",
		"~/.ssh/id_rsa",
		"link/SKILL.md",
		"file-link.md",
		"a\u0000b",
		"\\\\host\\share",
		"file:///etc/passwd",
	])("refuses %j, which is not in the folder (S05)", async (path) => {
		const { skill, folder, root } = await aSkill();
		withFiles(root, { ".agents/skills/y/SKILL.md": skillText("y"), "secret.md": "secret" });
		withLinks(folder, { link: "../y", "file-link.md": "../../../secret.md" });
		const read = await readSkillResource(skill, path);
		expect(read).toMatchObject({ ok: false, reason: expect.stringContaining("is not in its folder") as string });
	});

	it.for<[name: string, content: Uint8Array | undefined, why: string]>([
		["missing.md", undefined, "not there"],
		["binary", new Uint8Array([1, 0, 2]), "not a text file"],
		["latin1.txt", new Uint8Array([0x61, 0xfc]), "not a text file"],
		["large.txt", new Uint8Array(1_100_000).fill(97), "at most 1 MB"],
	])("says why %s is not read", async ([name, content, why]) => {
		const { skill } = await aSkill(content === undefined ? {} : { [name]: content });
		expect(await readSkillResource(skill, name)).toMatchObject({
			ok: false,
			reason: expect.stringContaining(why) as string,
		});
	});

	it("refuses a folder, and a skill whose folder is gone", async () => {
		const { skill, root } = await aSkill({ "references/guide.md": "" });
		expect(await readSkillResource(skill, "references")).toMatchObject({ ok: false });
		const gone = { ...skill, file: join(root, "gone/SKILL.md") };
		expect(await readSkillResource(gone, "guide.md")).toMatchObject({ ok: false });
	});
});
