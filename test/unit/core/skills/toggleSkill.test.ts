import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { discoverSkills } from "../../../../src/core/skills/discoverSkills.ts";
import { toggleSkill } from "../../../../src/core/skills/toggleSkill.ts";
import { temporaryFolder, withLinks } from "../../../fakes/temporaryFolder.ts";
import { skillText } from "./skillText.ts";

const marker = ".agents/skills/x/.disabled";
const skillFile = { ".agents/skills/x/SKILL.md": skillText("x") };
const active = async (home: string, repo: string) => {
	const { skills } = await discoverSkills([
		{ layer: "home", path: home },
		{ layer: "repo", path: repo },
	]);
	return skills.map(({ name, layer }) => `${layer} ${name}`);
};
const list = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();

describe("toggleSkill to disabled", () => {
	it("disables a home skill in the repo alone, and enabling it leaves everything as it was", async () => {
		const home = temporaryFolder(skillFile);
		const repo = temporaryFolder();
		expect(await toggleSkill("x", "disabled", [home, repo])).toEqual({
			isDone: true,
			written: [join(repo, marker)],
			removed: [],
		});
		expect(list(repo)).toEqual([".agents", ".agents/skills", ".agents/skills/x", marker]);
		expect(list(home)).not.toContain(marker);
		expect(await active(home, repo)).toEqual([]);

		expect(await toggleSkill("x", "enabled", [home, repo])).toEqual({
			isDone: true,
			written: [],
			removed: [join(repo, marker)],
		});
		expect(await active(home, repo)).toEqual(["home x"]);
		expect(list(repo)).toEqual([".agents", ".agents/skills", ".agents/skills/x"]);
	});

	it("disables a repo's own skill, also one of another client's folder, without touching that", async () => {
		const own = temporaryFolder(skillFile);
		const foreign = temporaryFolder({ ".claude/skills/x/SKILL.md": skillText("x") });
		for (const repo of [own, foreign]) {
			await toggleSkill("x", "disabled", [repo]);
			expect(existsSync(join(repo, marker))).toBe(true);
			expect(await active(temporaryFolder(), repo)).toEqual([]);
		}
		expect(list(join(foreign, ".claude"))).toEqual(["skills", "skills/x", "skills/x/SKILL.md"]);
	});

	it("does nothing the second time", async () => {
		const repo = temporaryFolder(skillFile);
		await toggleSkill("x", "disabled", [repo]);
		expect(await toggleSkill("x", "disabled", [repo])).toEqual({ isDone: true, written: [], removed: [] });
	});

	it.for(["..", "../x", "a/b", "", "con", "x\u0000"])("refuses the name %j", async (name) => {
		const repo = temporaryFolder();
		expect(await toggleSkill(name, "disabled", [repo])).toMatchObject({
			isDone: false,
			problem: { code: "skill.folderName" },
		});
		expect(await toggleSkill(name, "enabled", [repo])).toMatchObject({
			isDone: false,
			problem: { code: "skill.folderName" },
		});
		expect(list(repo)).toEqual([]);
	});

	it.for([".agents", ".agents/skills", ".agents/skills/x"])("writes nothing through a link at %s", async (link) => {
		const outside = temporaryFolder();
		const repo = temporaryFolder();
		mkdirSync(join(repo, link, ".."), { recursive: true });
		withLinks(repo, { [link]: outside });
		const result = await toggleSkill("x", "disabled", [repo]);
		expect(result).toMatchObject({ isDone: false, problem: { code: "skill.toggleFailed" } });
		expect(list(outside).filter((name) => name.endsWith(".disabled"))).toEqual([]);
	});

	it("says what is in the way", async () => {
		const repo = temporaryFolder({ ".agents/skills": "a file" });
		const result = await toggleSkill("x", "disabled", [repo]);
		expect(result).toMatchObject({ isDone: false, problem: { code: "skill.toggleFailed" } });
		expect(result).toMatchObject({ problem: { message: expect.stringContaining(join(repo, marker)) as string } });
	});
});

describe("toggleSkill to enabled", () => {
	it("removes the marker that decides, and leaves the one below it", async () => {
		const home = temporaryFolder({ ...skillFile, [marker]: "" });
		const repo = temporaryFolder({ ...skillFile, [marker]: "" });
		expect(await toggleSkill("x", "enabled", [home, repo])).toEqual({
			isDone: true,
			written: [],
			removed: [join(repo, marker)],
		});
		expect(await active(home, repo)).toEqual(["repo x"]);
		expect(existsSync(join(home, marker))).toBe(true);
	});

	it("removes every marker between the top and the skill", async () => {
		const home = temporaryFolder({ ".claude/skills/x/SKILL.md": skillText("x"), ".claude/skills/x/.disabled": "" });
		const repo = temporaryFolder({ [marker]: "" });
		expect(await toggleSkill("x", "enabled", [home, repo])).toEqual({
			isDone: true,
			written: [],
			removed: [join(repo, marker), join(home, ".claude/skills/x/.disabled")],
		});
		expect(await active(home, repo)).toEqual(["home x"]);
	});

	it("does nothing for a skill that is enabled, or that is not there", async () => {
		const nothing = { isDone: true, written: [], removed: [] };
		expect(await toggleSkill("x", "enabled", [temporaryFolder(skillFile)])).toEqual(nothing);
		expect(await toggleSkill("x", "enabled", [temporaryFolder(), temporaryFolder()])).toEqual(nothing);
	});

	it("removes a marker that is a link or an empty folder, and nothing behind it (S03)", async () => {
		const target = temporaryFolder({ "kept.md": "" });
		const linked = withLinks(temporaryFolder(skillFile), { [marker]: target });
		expect(await toggleSkill("x", "enabled", [linked])).toMatchObject({ removed: [join(linked, marker)] });
		expect(list(target)).toEqual(["kept.md"]);
		const empty = temporaryFolder(skillFile);
		mkdirSync(join(empty, marker));
		expect(await toggleSkill("x", "enabled", [empty])).toMatchObject({ removed: [join(empty, marker)] });
	});

	it("leaves a marker that is a folder with something in it, and says so", async () => {
		const repo = temporaryFolder({ ...skillFile, [`${marker}/why.md`]: "Not yet." });
		const result = await toggleSkill("x", "enabled", [repo]);
		expect(result).toMatchObject({ isDone: false, problem: { code: "skill.toggleFailed" } });
		expect(existsSync(join(repo, marker, "why.md"))).toBe(true);
	});

	it("says what it did before it failed", async () => {
		const home = temporaryFolder({ ...skillFile, [`${marker}/why.md`]: "Not yet." });
		const repo = temporaryFolder({ [marker]: "" });
		const result = await toggleSkill("x", "enabled", [home, repo]);
		expect(result).toMatchObject({ problem: { message: expect.stringContaining(join(repo, marker)) as string } });
	});

	it("removes nothing outside of the root", async () => {
		const outside = temporaryFolder({ "SKILL.md": skillText("x"), ".disabled": "" });
		const repo = temporaryFolder({ ".agents/skills/other/SKILL.md": skillText("other") });
		withLinks(repo, { ".agents/skills/x": outside });
		writeFileSync(join(outside, ".disabled"), "");
		expect(await toggleSkill("x", "enabled", [repo])).toMatchObject({ isDone: false });
		expect(list(outside)).toEqual([".disabled", "SKILL.md"]);
	});
});
