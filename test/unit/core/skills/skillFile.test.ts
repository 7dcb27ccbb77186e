import { describe, expect, it } from "vitest";
import { applyTextEdits } from "../../../../src/core/base/textEdit.ts";
import { parseSkillFile } from "../../../../src/core/skills/skillFile.ts";
import { skillText } from "./skillText.ts";

const origin = { name: "pdf", layer: "repo", root: "/repo", file: "/repo/.agents/skills/pdf/SKILL.md" } as const;
const parse = (text: string, more: object = {}) => parseSkillFile({ ...origin, ...more }, Buffer.from(text));
const withFields = (...lines: readonly string[]) => parse(`---\n${lines.join("\n")}\n---\nBody.\n`);
const brief = async (parsed: ReturnType<typeof parse>) => {
	const { skill, problems } = await parsed;
	return { loads: skill !== undefined, problems: problems.map(({ severity, code }) => `${severity} ${code}`) };
};

/** What its fixes make of a text, each applied alone. */
async function mend(text: string): Promise<string[]> {
	const { problems } = await parse(text);
	return problems.flatMap(({ fixes = [] }) =>
		fixes.map((fix) => ("edits" in fix ? applyTextEdits(text, fix.edits) : "")),
	);
}

describe("parseSkillFile", () => {
	it("reads every field of the format, and the body byte for byte", async () => {
		const text = `---
name: pdf
description: >
  Reads PDFs.
  Use when one is mentioned.
license: Apache-2.0
compatibility: Needs poppler
metadata:
  author: example
  version: "1.0"
allowed-tools: Bash(git diff:*) Read
---

  # Steps\r
`;
		expect(await parse(text)).toEqual({
			skill: {
				...origin,
				description: "Reads PDFs. Use when one is mentioned.",
				license: "Apache-2.0",
				compatibility: "Needs poppler",
				metadata: { author: "example", version: "1.0" },
				allowedTools: ["Bash(git diff:*)", "Read"],
				extra: {},
			},
			body: "\n  # Steps\r\n",
			problems: [],
		});
	});

	it("keeps what it does not know, and what other clients know", async () => {
		const { skill, problems } = await withFields(
			"name: pdf",
			"description: Reads PDFs.",
			"argument-hint: file",
			"disable-model-invocation: true",
			"hooks: { Stop: [{ command: rm }] }",
		);
		expect(problems).toEqual([]);
		expect(skill?.extra).toEqual({
			"argument-hint": "file",
			"disable-model-invocation": true,
			hooks: { Stop: [{ command: "rm" }] },
		});
	});

	it("keeps a field of the wrong kind aside, with a warning", async () => {
		const { skill, problems } = await withFields(
			"name: pdf",
			"description: Reads.",
			"license: [MIT]",
			"metadata: none",
		);
		expect(skill).toMatchObject({ extra: { license: ["MIT"], metadata: "none" } });
		expect(skill).not.toHaveProperty("license");
		expect(problems.map(({ code, line, column }) => [code, line, column])).toEqual([
			["skill.field", 4, 10],
			["skill.field", 5, 11],
		]);
	});

	it.for<[value: string, tools: string[] | undefined]>([
		["Read, Write , Read", ["Read", "Write"]],
		["Read Write", ["Read", "Write"]],
		["Bash(git add:*), Bash(git commit -m:*) Grep", ["Bash(git add:*)", "Bash(git commit -m:*)", "Grep"]],
		["[ Read, ' Bash(ls *) ', Read]", ["Read", "Bash(ls *)"]],
		["Bash(git", ["Bash(git"]],
		["[]", undefined],
		["", undefined],
	])("splits `allowed-tools: %s` (S0-15)", async ([value, tools]) => {
		const { skill } = await withFields("name: pdf", "description: Reads.", `allowed-tools: ${value}`);
		expect(skill?.allowedTools).toEqual(tools);
	});

	it.for(["7", "true", "{ Read: true }", "[[Read]]"])("refuses `allowed-tools: %s` (S0-15)", async (value) => {
		const parsed = withFields("name: pdf", "description: Reads.", `allowed-tools: ${value}`);
		expect(await brief(parsed)).toEqual({ loads: false, problems: ["error skill.allowedTools"] });
	});

	it.for(["*", "Bash(*)", "Read, Bash( * )", "Bash()"])("says that `%s` grants nothing (S06)", async (tools) => {
		const parsed = withFields("name: pdf", "description: Reads.", `allowed-tools: ${JSON.stringify(tools)}`);
		expect(await brief(parsed)).toEqual({ loads: true, problems: ["warning skill.grantsNothing"] });
	});

	it("uses the folder's name where the file has none or another (S01, S0-15)", async () => {
		const names = ["description: Reads.", "name:\ndescription: Reads.", "name: Other\ndescription: Reads."];
		const parsed = await Promise.all(names.map((lines) => withFields(lines)));
		expect(parsed.map(({ skill }) => [skill?.name, skill?.declaredName])).toEqual([
			["pdf", undefined],
			["pdf", undefined],
			["pdf", "Other"],
		]);
		expect(parsed.map(({ problems }) => problems.map(({ code, line, column }) => [code, line, column]))).toEqual([
			[["skill.noName", 1, 1]],
			[["skill.nameMismatch", 2, 1]],
			[["skill.nameMismatch", 2, 7]],
		]);
	});

	it("warns of a name that is the folder's but not of the format's", async () => {
		const parsed = parse(skillText("My_Skill"), { name: "My_Skill" });
		expect(await brief(parsed)).toEqual({ loads: true, problems: ["warning skill.name"] });
	});

	it("warns of lengths beyond the format's, and keeps the text whole (S09)", async () => {
		const { skill, problems } = await withFields(
			"name: pdf",
			`description: ${"d".repeat(1_025)}`,
			`compatibility: ${"c".repeat(501)}`,
		);
		expect(problems.map(({ code }) => code)).toEqual(["skill.longDescription", "skill.longCompatibility"]);
		expect(skill?.description).toHaveLength(1_025);
		expect((await withFields("name: pdf", `description: ${"d".repeat(1_024)}`)).problems).toEqual([]);
	});

	it("gives one reason for a file that does not load, however many there are", async () => {
		const parsed = parse("---\nname: Other\nallowed-tools: 7\n---\n", { file: "/repo/.agents/skills/pdf/skill.md" });
		expect(await brief(parsed)).toEqual({ loads: false, problems: ["error skill.noDescription"] });
	});

	it("speaks of skills where the shared readers speak of agents", async () => {
		const nested = `---\ndescription: ${"[".repeat(50)}\n---\n`;
		const texts = ["", "text", "---\nx: &a 1\n---\n", nested, "---\n- a\nb: c\n---\n"];
		const problems = (await Promise.all(texts.map((text) => parse(text)))).flatMap((parsed) => parsed.problems);
		expect(problems.map(({ code }) => code)).toEqual([
			"skill.empty",
			"skill.noFrontmatter",
			"skill.alias",
			"skill.depth",
			"skill.yaml",
		]);
		for (const { message } of problems) expect(message).not.toMatch(/\bagent/iu);
	});
});

describe("the fixes of parseSkillFile", () => {
	it.for<[what: string, text: string, mended: string]>([
		["adds a name", "---\ndescription: Reads.\n---\n", "---\ndescription: Reads.\nname: pdf\n---\n"],
		[
			"changes a name",
			"---\nname: >\n  Other\ndescription: Reads.\n---\n",
			"---\nname: pdf\ndescription: Reads.\n---\n",
		],
		[
			"adds quotes",
			"---\nname: pdf\ndescription: It's read when: asked\n---\n",
			"---\nname: pdf\ndescription: 'It''s read when: asked'\n---\n",
		],
		[
			"removes hidden characters",
			"---\nname: pdf\ndescription: Re\u200Bads.\n---\n",
			"---\nname: pdf\ndescription: Reads.\n---\n",
		],
	])("%s", async ([, text, mended]) => {
		expect(await mend(text)).toEqual([mended]);
		expect((await parse(mended)).problems).toEqual([]);
	});

	it("adds a description to fill in", async () => {
		const [mended = ""] = await mend("---\r\nname: pdf\r\n---\r\n");
		expect(mended).toMatch(/^---\r\nname: pdf\r\ndescription: .+\r\n---\r\n$/u);
		expect((await parse(mended)).skill?.description).not.toBe("");
	});

	it("renames a file in lower case (S02)", async () => {
		const file = "/repo/.agents/skills/pdf/skill.md";
		const { problems } = await parse(skillText("pdf"), { file });
		expect(problems[0]?.fixes).toEqual([{ title: "Rename to SKILL.md", rename: { from: file, to: origin.file } }]);
	});
});
