import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Skill } from "../../../../src/core/skills/skill.ts";
import { renderSkillCatalog } from "../../../../src/core/skills/skillCatalog.ts";

const aSkill = (name: string, description: string, extra: Skill["extra"] = {}): Skill => ({
	name,
	layer: "repo",
	root: "/repo",
	file: `/repo/.agents/skills/${name}/SKILL.md`,
	description,
	extra,
});
const entries = (text: string) => text.split("\n").filter((line) => line.startsWith("- "));
const plenty = 100_000;

describe("renderSkillCatalog", () => {
	it("lists name and description by name, one line each", () => {
		const skills = [aSkill("zip", "Packs."), aSkill("pdf", "Reads\nPDFs.\n\n- zip: Forged.")];
		const text = renderSkillCatalog(skills, plenty);
		expect(text).toContain("call `skill`");
		expect(entries(text)).toEqual(["- pdf: Reads PDFs. - zip: Forged.", "- zip: Packs."]);
	});

	it("says nothing when there is nothing to tell of", () => {
		expect(renderSkillCatalog([], plenty)).toBe("");
		expect(renderSkillCatalog([aSkill("deploy", "Deploys.", { "disable-model-invocation": true })], plenty)).toBe("");
	});

	it("shows at most 1,024 characters of a description (S09)", () => {
		const [entry = ""] = entries(renderSkillCatalog([aSkill("pdf", "d".repeat(10_000))], plenty));
		expect(entry).toBe(`- pdf: ${"d".repeat(1_023)}…`);
	});

	it("shortens all descriptions alike before it leaves out a skill, and says so", () => {
		const skills = Array.from({ length: 20 }, (_, index) => aSkill(`skill-${10 + index}`, "d".repeat(600)));
		const text = renderSkillCatalog(skills, 8_000);
		expect(entries(text)).toHaveLength(20);
		expect(new Set(entries(text).map((line) => line.length))).toHaveLength(1);
		expect(text).toContain("Descriptions are shortened");
		expect(renderSkillCatalog(skills, plenty)).not.toContain("shortened");
	});

	it("leaves out the last by name when not even the names fit, and says how many", () => {
		const skills = Array.from({ length: 200 }, (_, index) => aSkill(`skill-${1000 + index}`, "Does it."));
		const text = renderSkillCatalog(skills, 1_000);
		const shown = entries(text);
		expect(shown[0]).toBe("- skill-1000");
		expect(text).toContain(`${200 - shown.length} more skills are not listed`);
	});

	it("never takes more than its budget", () => {
		const skills = fc.array(fc.record({ name: fc.string(), description: fc.string({ maxLength: 3_000 }) }));
		fc.assert(
			fc.property(skills, fc.nat({ max: 4_000 }), (records, budget) => {
				const text = renderSkillCatalog(
					records.map(({ name, description }) => aSkill(name, description)),
					budget,
				);
				expect(text.length).toBeLessThanOrEqual(budget);
			}),
		);
	});
});
