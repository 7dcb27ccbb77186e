import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runProgram } from "../../fakes/runProgram.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";

const main = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));
const agent = (name: string, tools = "[read_file]") =>
	`---\nname: ${name}\ndescription: Looks.\ntools: ${tools}\n---\nYou look.\n`;

const muster = (args: readonly string[], cwd: string) => runProgram(main, args, cwd);

describe("muster check", () => {
	it("lists what loads with its layer and file, and exits with 0", async () => {
		const home = temporaryFolder({ ".agents/agents/mine.md": agent("mine") });
		const repo = temporaryFolder({
			".agents/agents/scout.md": agent("scout"),
			".agents/skills/notes/SKILL.md": "---\nname: notes\ndescription: Writes notes.\n---\nWrite.\n",
			".agents/config.toml": '[mcp_servers.files]\ncommand = "npx"\n',
			".claude/agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews.\ntools: Read, Grep\n---\nYou review.\n",
		});
		const { code, out } = await muster(["check", "--home", home, "--json"], repo);
		const { agents, skills, mcpServers, problems, layers } = JSON.parse(out);
		expect(code).toBe(0);
		expect(layers.map(({ name }: { name: string }) => name)).toEqual(["home", "repo"]);
		expect(agents).toMatchObject([
			{ name: "mine", layer: "home", dialect: "native" },
			{ name: "reviewer", layer: "repo", dialect: "claude", tools: ["read_file", "grep"] },
			{ name: "scout", layer: "repo", dialect: "native", file: `${repo}/.agents/agents/scout.md` },
			{ name: "main", dialect: "builtin", file: null },
		]);
		expect(skills).toMatchObject([{ name: "notes", layer: "repo", disabled: false }]);
		expect(mcpServers).toMatchObject([{ name: "files", layer: "repo", type: "stdio", enabled: true }]);
		expect(problems.filter(({ severity }: { severity: string }) => severity === "error")).toEqual([]);
	});

	it("names every broken file with line and column, loads the rest, and exits with 1", async () => {
		const home = temporaryFolder();
		const repo = temporaryFolder({
			".agents/agents/broken.md": agent("broken", "[read_fiel]"),
			".agents/agents/good.md": agent("good"),
			".agents/config.toml": '[mcp_servers.files]\ncommand = 7\n[mcp_servers.other]\ncommand = "npx"\n',
		});
		const { code, out } = await muster(["check", "--home", home], repo);
		expect(code).toBe(1);
		expect(out).toContain(`${repo}/.agents/agents/broken.md:4:9: error: There is no tool named "read_fiel"`);
		expect(out).toContain(`${repo}/.agents/config.toml:2:`);
		expect(out).toMatch(/^agent {3}good /mu);
		expect(out).toMatch(/^server {2}other /mu);
		expect(out).toMatch(/^2 errors, \d+ warnings$/mu);
	});
});

describe("muster explain", () => {
	it("says where a value comes from and what it shadows", async () => {
		const server = '[mcp_servers.files]\ncommand = "npx"\n';
		const home = temporaryFolder({ ".agents/config.toml": server });
		const repo = temporaryFolder({ ".agents/config.toml": `\n${server}` });
		const { code, out } = await muster(["explain", "files", "--home", home], repo);
		expect(code).toBe(0);
		expect(out).toContain("mcp_servers.files");
		expect(out).toContain(`${repo}/.agents/config.toml:2`);
		expect(out).toContain(`${home}/.agents/config.toml:1`);
	});

	it("prints with --json what check prints, each with its provenance, and every value with its own", async () => {
		const home = temporaryFolder({
			".agents/agents/scout.md": agent("scout"),
			".agents/skills/notes/SKILL.md": "---\nname: notes\ndescription: Writes notes.\n---\nWrite.\n",
			".agents/config.toml": '[agents.defaults.subagents]\nmax_concurrent = 4\n[mcp_servers.files]\ncommand = "npx"\n',
		});
		const repo = temporaryFolder({
			".agents/agents/scout.md": agent("scout").replace("tools:", "override: true\ntools:"),
			".agents/config.toml": "[agents.defaults.subagents]\nmax_concurrent = 2\n",
		});
		const call = async (...args: readonly string[]) => {
			const { code, out } = await muster([...args, "--home", home, "--json"], repo);
			expect(code).toBe(0);
			return JSON.parse(out);
		};
		const [checked, explained] = [await call("check"), await call("explain")];
		const withoutProvenance = (rows: readonly { provenance: unknown }[]) =>
			rows.map((row) => JSON.parse(JSON.stringify({ ...row, provenance: undefined })));
		const rows = ["agents", "skills", "mcpServers"] as const;
		expect(Object.fromEntries(rows.map((name) => [name, withoutProvenance(explained[name])]))).toEqual(
			Object.fromEntries(rows.map((name) => [name, checked[name]])),
		);
		expect([explained.layers, explained.problems]).toEqual([checked.layers, checked.problems]);

		const mine = { layer: "home", file: `${home}/.agents/agents/scout.md`, line: 1 };
		expect(explained.agents).toMatchObject([
			{ name: "scout", provenance: { layer: "repo", file: `${repo}/.agents/agents/scout.md`, shadows: [mine] } },
			{ name: "scout", shadowed: true, provenance: null },
			{ name: "main", provenance: { layer: "builtIn", file: null, line: null } },
		]);
		expect(explained.skills).toMatchObject([{ name: "notes", provenance: { layer: "home", shadows: [] } }]);
		expect(explained.mcpServers).toMatchObject([
			{ name: "files", provenance: { file: `${home}/.agents/config.toml`, line: 3 } },
		]);
		const { values } = await call("explain", "max_concurrent");
		expect(values).toMatchObject([
			{
				value: 2,
				layer: "repo",
				line: 2,
				shadows: [{ layer: "home", line: 2 }, { layer: "builtIn" }],
				reason: expect.any(String),
			},
		]);
	});
});

describe("muster", () => {
	it.each([
		[["doctor"], "“muster doctor” is not in this version."],
		[["dance"], "There is no verb “dance”."],
		[["check", "--colour"], "--colour"],
		[["explain", "a", "b"], "“b” is one word too many."],
	])("exits with 2 and the reason when it is called %j", async (args, reason) => {
		const { code, err } = await muster(args, temporaryFolder());
		expect(code).toBe(2);
		expect(err).toContain(reason);
	});

	it("lists no runs, and makes no database, where nothing has run", async () => {
		const data = temporaryFolder();
		const { code, out } = await muster(["list", "--json", "--data", data], temporaryFolder());
		expect({ code, out }).toEqual({ code: 0, out: '{"runs":[]}\n' });
	});
});
