/** *New Agent…* and *New Skill…* on real folders, with dialogs that the test answers. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { discoverAgents } from "../../../src/core/agents/discoverAgents.ts";
import { discoverSkills } from "../../../src/core/skills/discoverSkills.ts";
import { knownTools } from "../../../src/core/tools/knownTools.ts";
import { newAgentCommand, newSkillCommand } from "../../../src/shell/commands/newDefinitionCommands.ts";
import { editor, resetEditor, workspace } from "../../fakes/editorStandIn.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(resetEditor);

/** A window with a home and these folders open. */
function aWindow(...folders: readonly string[]) {
	const home = temporaryFolder();
	editor.settings.set("homeDir", home);
	editor.folders = [...folders];
	return home;
}

const kinds = [
	{
		what: "New Agent…",
		run: newAgentCommand,
		file: ".agents/agents/code-reviewer.md",
		load: async (path: string) => {
			const { agents, problems } = await discoverAgents([{ layer: "repo", path }], knownTools);
			return { found: agents, problems };
		},
	},
	{
		what: "New Skill…",
		run: newSkillCommand,
		file: ".agents/skills/code-reviewer/SKILL.md",
		load: async (path: string) => {
			const { skills, problems } = await discoverSkills([{ layer: "repo", path }]);
			return { found: skills, problems };
		},
	},
] as const;

describe.each(kinds)("$what", ({ run, file, load }) => {
	it("writes a file that loads without a word, and opens it", async () => {
		const folder = temporaryFolder();
		aWindow(folder);
		editor.answers = [" code-reviewer ", "Reviews: the code.", "This workspace"];
		await run();
		expect(editor.shown).toEqual([join(folder, file)]);
		const { found, problems } = await load(folder);
		expect(problems).toEqual([]);
		expect(found).toMatchObject([
			{ name: "code-reviewer", description: expect.stringContaining("Reviews: the code.") },
		]);
	});

	it("never overwrites a file, and offers to open the one that is there", async () => {
		const folder = temporaryFolder({ [file]: "mine" });
		aWindow(folder);
		editor.answers = ["code-reviewer", "Reviews.", "This workspace"];
		await expect(run()).rejects.toMatchObject({
			problem: { code: "definition.exists", remedies: [{ kind: "openFile", path: join(folder, file) }] },
		});
		expect(readFileSync(join(folder, file), "utf8")).toBe("mine");
		expect(editor.shown).toEqual([]);
	});

	it.each(["", "Code Reviewer", "-a", "a--b", "ä", "../a", "a/b", "a.md", "x".repeat(65)])(
		"says of the name %j why it is none, and writes nothing",
		async (name) => {
			const folder = temporaryFolder();
			aWindow(folder);
			editor.answers = [name, "Reviews.", "This workspace"];
			await run();
			expect(editor.prompts.map(({ problem }) => problem)).toEqual([expect.stringMatching(/\w{3}/u)]);
			expect(existsSync(join(folder, ".agents"))).toBe(false);
		},
	);

	it.each([1, 2, 3])("writes nothing when its question %i is closed", async (question) => {
		const folder = temporaryFolder();
		aWindow(folder);
		editor.answers = ["code-reviewer", "Reviews.", "This workspace"].slice(0, question - 1);
		await run();
		expect(existsSync(join(folder, ".agents"))).toBe(false);
		expect(editor.shown).toEqual([]);
	});

	it("writes into home where somebody chooses it", async () => {
		const home = aWindow(temporaryFolder());
		editor.answers = ["code-reviewer", "Reviews.", "Home"];
		await run();
		expect(editor.shown).toEqual([join(home, file)]);
	});

	it("asks for a folder of a window with several", async () => {
		const [one, two] = [temporaryFolder(), temporaryFolder()];
		aWindow(one, two);
		editor.answers = ["code-reviewer", "Reviews.", "This workspace", two.split("/").at(-1)];
		await run();
		expect(editor.shown).toEqual([join(two, file)]);
	});

	it("writes nothing into a folder that is not trusted", async () => {
		const folder = temporaryFolder();
		const home = aWindow(folder);
		workspace.isTrusted = false;
		editor.answers = ["code-reviewer", "Reviews."];
		await run();
		expect(editor.shown).toEqual([join(home, file)]);
		expect(existsSync(join(folder, ".agents"))).toBe(false);
	});
});

it("New Agent… refuses the name of the built-in agent, and says so", async () => {
	aWindow(temporaryFolder());
	editor.answers = ["main"];
	await newAgentCommand();
	expect(editor.prompts).toMatchObject([{ problem: expect.stringContaining("built-in") }]);
});

it("New Skill… asks for a description, without which no model could choose it", async () => {
	aWindow(temporaryFolder());
	editor.answers = ["notes", "  "];
	await newSkillCommand();
	expect(editor.prompts.at(-1)).toMatchObject({ problem: "A skill needs a description." });
	expect(editor.shown).toEqual([]);
});
