import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runProgram } from "../../fakes/runProgram.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";

const main = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));
const check = (home: string, repo: string, ...args: readonly string[]) =>
	runProgram(main, ["check", "--home", home, "--repo", repo, ...args], repo);
const agent = (name: string, more = "") => `---\nname: ${name}\ndescription: Looks.\n${more}---\nYou look.\n`;
const skill = (name: string) => `---\nname: ${name}\ndescription: Writes.\n---\nWrite.\n`;

describe("muster check --json", () => {
	it("has layers, agents, skills and servers as the specification says, those not in use too", async () => {
		const home = temporaryFolder({
			".agents/config.toml":
				'[[agents.list]]\nid = "coder"\nmodel = "demo/demo"\ntools = { allow = ["read_file"] }\n[mcp_servers.off]\ncommand = "npx"\nenabled = false\n',
			".agents/agents/scout.md": agent("scout"),
			".agents/skills/notes/SKILL.md": skill("notes"),
			".agents/skills/prose/SKILL.md": skill("prose"),
		});
		const repo = temporaryFolder({
			".agents/agents/scout.md": agent("scout", "override: true\n"),
			".agents/skills/notes/.disabled": "",
			".agents/skills/prose/SKILL.md": skill("prose"),
		});
		const { code, out } = await check(home, repo, "--json");
		const report = JSON.parse(out);
		expect(code).toBe(0);
		expect(Object.keys(report)).toEqual(["layers", "agents", "skills", "mcpServers", "problems"]);
		expect(report.layers).toEqual([
			{ name: "home", root: home },
			{ name: "repo", root: repo },
		]);
		const scout = { name: "scout", dialect: "native", tools: null, model: null };
		expect(report.agents).toEqual([
			{ ...scout, layer: "repo", file: `${repo}/.agents/agents/scout.md`, shadowed: false },
			{ ...scout, layer: "home", file: `${home}/.agents/agents/scout.md`, shadowed: true },
			{ name: "main", layer: null, file: null, dialect: "builtin", tools: null, model: null, shadowed: false },
			{
				name: "coder",
				layer: "home",
				file: `${home}/.agents/config.toml`,
				dialect: "config",
				tools: ["read_file"],
				model: "demo/demo",
				shadowed: false,
			},
		]);
		expect(report.skills).toEqual([
			{ name: "prose", layer: "repo", file: expect.any(String), disabled: false, shadowed: false },
			{ name: "notes", layer: "home", file: expect.any(String), disabled: true, shadowed: false },
			{ name: "prose", layer: "home", file: expect.any(String), disabled: false, shadowed: true },
		]);
		expect(report.mcpServers).toEqual([
			{ name: "off", layer: "home", file: `${home}/.agents/config.toml`, type: "stdio", enabled: false },
		]);
		expect(report.problems).toEqual([
			{
				severity: "warning",
				code: "skill.masked",
				message: expect.any(String),
				file: `${repo}/.agents/skills/notes/.disabled`,
				line: null,
				column: null,
			},
		]);
	});
});

describe("muster check --roles", () => {
	it("checks every role pack, and says of a folder that it is none", async () => {
		const roles = ".agents/roles";
		const home = temporaryFolder({
			".agents/skills/notes/SKILL.md": skill("notes"),
			[`${roles}/writer/.agents/skills/prose/SKILL.md`]: skill("prose"),
			[`${roles}/tester/.agents/config.toml`]: "[mcp_servers.broken]\ncommand = 7\n",
			[`${roles}/empty/readme.txt`]: "",
		});
		const repo = temporaryFolder();
		expect((await check(home, repo, "--json")).code).toBe(0);
		const { code, out } = await check(home, repo, "--roles", "--json");
		const { layers, skills, problems } = JSON.parse(out);
		expect(code).toBe(1);
		expect(layers.map(({ name }: { name: string }) => name)).toEqual(["home", "role", "role", "repo"]);
		expect(skills.map(({ name, layer }: Record<string, string>) => [name, layer])).toEqual([
			["notes", "home"],
			["prose", "role"],
		]);
		expect(problems.map(({ severity, code: what }: Record<string, string>) => [severity, what])).toEqual(
			expect.arrayContaining([
				["warning", "role.notFound"],
				["error", expect.stringContaining("config.")],
			]),
		);
	});
});

describe("muster check --format github", () => {
	it("writes annotations, and nothing from a file ends one", async () => {
		const repo = temporaryFolder({ ".agents/agents/a,b.md": agent("scout", 'tools: ["100%\\n::error::x"]\n') });
		const { code, out } = await check(temporaryFolder(), repo, "--format", "github");
		expect(code).toBe(1);
		const [first = "", ...rest] = out.trimEnd().split("\n");
		expect(first).toMatch(/^::error file=[^,:]*a%2Cb\.md,line=4,col=\d+,title=agent\.[\w-]+::/u);
		expect(first).toContain("100%25");
		expect(rest.filter((line) => line.startsWith("::error::"))).toEqual([]);
	});

	it.each([
		[["--format", "xml"], "There is no format “xml”"],
		[["--format", "github", "--json"], "two formats"],
		[["--roles", "--role", "writer"], "take one"],
	])("exits with 2 for %j", async (args, reason) => {
		const { code, err } = await check(temporaryFolder(), temporaryFolder(), ...args);
		expect(code).toBe(2);
		expect(err).toContain(reason);
	});
});
