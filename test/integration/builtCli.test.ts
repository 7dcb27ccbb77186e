import path from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram } from "../fakes/runProgram.ts";
import { temporaryFolder } from "../fakes/temporaryFolder.ts";
import { projectRoot } from "../vscode/paths.ts";

/** What is shipped: bundling can break what works from its sources. */
const muster = (args: readonly string[], cwd: string) => runProgram(path.join(projectRoot, "dist/cli.js"), args, cwd);

describe("the built command line", () => {
	it("reads every kind of file and finds the place of each fault", async () => {
		const repo = temporaryFolder({
			".agents/agents/native.md": "---\nname: native\ndescription: Looks.\ntools: [read_fiel]\n---\nYou look.\n",
			".claude/agents/foreign.md": "---\nname: foreign\ndescription: Reviews: all of it.\n---\nYou review.\n",
			".codex/agents/coder.toml": 'name = "coder"\ndescription = "Codes."\ndeveloper_instructions = "You code."\n',
			".agents/skills/notes/SKILL.md": "---\nname: notes\ndescription: Writes notes.\n---\nWrite.\n",
			".agents/config.toml": '[mcp_servers.files]\ncommand = "npx"\nenabled = "perhaps"\n',
		});
		const { code, out, err } = await muster(["check", "--home", temporaryFolder(), "--json"], repo);
		expect(err).toBe("");
		const { agents, skills, problems } = JSON.parse(out);
		expect(code).toBe(1);
		expect(agents.map(({ name }: { name: string }) => name)).toEqual(["coder", "foreign", "main"]);
		expect(skills).toMatchObject([{ name: "notes" }]);
		const errors = problems.filter(({ severity }: { severity: string }) => severity === "error");
		expect(errors).toMatchObject([
			{ file: `${repo}/.agents/agents/native.md`, line: 4, column: 9 },
			{ file: `${repo}/.agents/config.toml`, line: 3 },
		]);
	});

	it("lists the runs of a workspace", async () => {
		const { code, out } = await muster(["list", "--data", temporaryFolder(), "--json"], temporaryFolder());
		expect({ code, out }).toEqual({ code: 0, out: '{"runs":[]}\n' });
	});
});
