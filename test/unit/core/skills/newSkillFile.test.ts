import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newSkillFile } from "../../../../src/core/skills/newSkillFile.ts";
import { parseSkillFile } from "../../../../src/core/skills/skillFile.ts";

async function parseNew(name: string, description: string) {
	const made = newSkillFile(name, description);
	if ("problem" in made) throw new Error(made.problem.message);
	const file = `/repo/${made.path}`;
	return parseSkillFile({ name, layer: "repo", root: "/repo", file }, Buffer.from(made.contents));
}

describe("newSkillFile", () => {
	it("makes a file that loads without a word", async () => {
		const made = newSkillFile("release-notes", "Writes release notes.");
		expect(made).toMatchObject({ path: ".agents/skills/release-notes/SKILL.md" });
		const { skill, problems } = await parseNew("release-notes", "Writes release notes.");
		expect(problems).toEqual([]);
		expect(skill?.description).toBe("Writes release notes.");
	});

	it.for(["7", "1e5", "true", "null", "no", "0x10", "a", "a".repeat(64), "a-1-b"])(
		"takes the name %s",
		async (name) => {
			expect((await parseNew(name, "Does it.")).problems).toEqual([]);
		},
	);

	it.for(["", "A", "a_b", "a b", "-a", "a-", "a--b", "ä", "a.b", "../a", "con", "lpt1", "a".repeat(65)])(
		"refuses the name %j, and says why",
		(name) => {
			expect(newSkillFile(name, "Does it.")).toMatchObject({ problem: { code: "skill.name" } });
		},
	);

	it("refuses a description that is empty or longer than the format's", () => {
		expect(newSkillFile("a", " \n ")).toMatchObject({ problem: { code: "skill.description" } });
		expect(newSkillFile("a", "d".repeat(1_025))).toMatchObject({ problem: { code: "skill.description" } });
		expect(newSkillFile("a", "d".repeat(1_024))).toHaveProperty("contents");
	});

	it("gives the description back as it was typed, blanks aside", async () => {
		const visible = fc.stringMatching(/^[ -~äß漢😀]{1,100}$/u).filter((text) => text.trim() !== "");
		await fc.assert(
			fc.asyncProperty(visible, async (description) => {
				const { skill, problems } = await parseNew("a", description);
				expect(problems).toEqual([]);
				expect(skill?.description).toBe(description.replaceAll(/\s+/gu, " ").trim());
			}),
		);
	});
});
