import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { discoverAgents, type AgentRoot, type DiscoveryOptions } from "../../../../src/core/agents/discoverAgents.ts";
import { findDialect } from "../../../../src/core/agents/findDialect.ts";
import { knownTools } from "../../../../src/core/tools/knownTools.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { agentText } from "./agentText.ts";

const roots = (folders: Partial<Record<AgentRoot["layer"], string>>): AgentRoot[] =>
	(["home", "role", "repo"] as const).flatMap((layer) => {
		const path = folders[layer];
		return path === undefined ? [] : [{ layer, path }];
	});
const discover = (folders: Parameters<typeof roots>[0], options?: DiscoveryOptions) =>
	discoverAgents(roots(folders), knownTools, options);
const named = (name: string) => agentText("", { name });
const codex = (name: string) => `name = "${name}"\ndescription = "b"\ndeveloper_instructions = "c"\n`;

const everywhere = {
	".agents/agents/native.md": named("native"),
	".claude/agents/claude.md": named("claude"),
	".claude/agents/team/deep/claude-too.md": named("claude-too"),
	".github/agents/vscode.agent.md": named("vscode"),
	".opencode/agent/opencode-one.md": "---\ndescription: b\n---\nc",
	".opencode/agents/team/opencode-two.md": "---\ndescription: b\n---\nc",
	".cursor/agents/cursor.md": named("cursor"),
	".codex/agents/codex.toml": codex("codex"),
	".cline/agents/cline.yaml": named("cline"),
	".netclaw/agents/netclaw.md": named("netclaw"),
};

describe("discoverAgents in the folders of other programs", () => {
	it.each(["home", "repo"] as const)("finds each dialect's agents in %s (R-24)", async (layer) => {
		const { agents, problems } = await discover({ [layer]: temporaryFolder(everywhere) });
		expect(problems).toEqual([]);
		expect(agents.map(({ name, dialect }) => `${dialect}: ${name}`)).toEqual([
			"claude: claude",
			"claude: claude-too",
			"cline: cline",
			"codex: codex",
			"cursor: cursor",
			"native: native",
			"netclaw: netclaw",
			"opencode: opencode-one",
			"opencode: team-opencode-two",
			"vscode: vscode",
		]);
	});

	it("finds what Copilot and OpenCode keep for their user in home, and not in a repo", async () => {
		const files = {
			".copilot/agents/a.agent.md": named("a"),
			".config/opencode/agent/b.md": "---\ndescription: b\n---\nc",
			".config/opencode/agents/c.md": "---\ndescription: b\n---\nc",
		};
		const names = async (layer: "home" | "repo") =>
			(await discover({ [layer]: temporaryFolder(files) })).agents.map(({ name }) => name);
		expect(await names("home")).toEqual(["a", "b", "c"]);
		expect(await names("repo")).toEqual([]);
	});

	it("reads only our own format in a role pack", async () => {
		const { agents, folders } = await discover({ role: temporaryFolder(everywhere) });
		expect(agents.map(({ name, layer }) => [name, layer])).toEqual([["native", "role"]]);
		expect(folders).toHaveLength(1);
	});

	it("looks into the dialects' folders and nowhere else, and says where it looked", async () => {
		const folder = temporaryFolder({
			".agents/agents/sub/a.md": named("a"),
			".agents/b.md": named("b"),
			"packages/web/.agents/agents/c.md": named("c"),
			"packages/web/.claude/agents/d.md": named("d"),
			".github/agents/e.md": named("e"),
			".github/chatmodes/f.agent.md": named("f"),
			".claude/agents/.hidden/g.md": named("g"),
			".claude/agents/node_modules/h/h.md": named("h"),
			".claude/agents/1/2/3/4/5/i.md": named("i"),
			".cursor/agents/sub/j.md": named("j"),
			".codex/agents/k.md": named("k"),
			".opencode/l.md": named("l"),
		});
		const { agents, problems, folders } = await discover({ repo: folder });
		expect(agents).toEqual([]);
		expect(problems).toEqual([]);
		expect(folders.map(({ path, isThere }) => [path.slice(folder.length + 1), isThere])).toEqual([
			[".agents/agents", true],
			[".claude/agents", true],
			[".github/agents", true],
			[".opencode/agent", false],
			[".opencode/agents", false],
			[".cursor/agents", true],
			[".codex/agents", true],
			[".cline/agents", false],
			[".netclaw/agents", false],
		]);
	});

	it("comes to an end where links go in a circle, and reads each file once", async () => {
		const folder = temporaryFolder({ ".claude/agents/team/a.md": named("a") });
		symlinkSync(join(folder, ".claude/agents"), join(folder, ".claude/agents/team/up"));
		symlinkSync(join(folder, ".claude/agents/team"), join(folder, ".claude/agents/again"));
		symlinkSync("loop.md", join(folder, ".claude/agents/loop.md"));
		const { agents, problems } = await discover({ repo: folder });
		expect(agents.map(({ name }) => name)).toEqual(["a"]);
		expect(problems).toMatchObject([{ code: "agent.unreadable", file: join(folder, ".claude/agents/loop.md") }]);
	});

	it("does not follow a folder out of the root", async () => {
		const outside = temporaryFolder({ "agents/a.md": named("a") });
		const folder = temporaryFolder({ ".cursor/agents/b.md": named("b") });
		mkdirSync(join(folder, ".claude/agents"), { recursive: true });
		symlinkSync(join(outside, "agents"), join(folder, ".claude/agents/linked"));
		symlinkSync(outside, join(folder, ".agents"));
		const { agents, problems } = await discover({ repo: folder });
		expect(agents.map(({ name }) => name)).toEqual(["b"]);
		expect(problems.map(({ code, file }) => [code, file.slice(folder.length + 1)])).toEqual([
			["agent.unreadable", ".agents/agents"],
			["agent.unreadable", ".claude/agents/linked"],
		]);
	});

	it("reads the first thousand files of a folder, and says that there are more (A32)", async () => {
		const numbers = Array.from({ length: 1_001 }, (_, index) => String(index).padStart(4, "0"));
		const files = Object.fromEntries(numbers.map((number) => [`.agents/agents/${number}.md`, named(`a${number}`)]));
		const { agents, problems } = await discover({ repo: temporaryFolder(files) });
		expect(agents).toHaveLength(1_000);
		expect(agents.at(-1)?.name).toBe("a0999");
		expect(problems).toMatchObject([{ severity: "warning", code: "agent.tooMany" }]);
	});
});

describe("agents of one name", () => {
	it("are our own before another program's, with a note, and these in a fixed order", async () => {
		const folder = temporaryFolder({
			".agents/agents/x.md": named("a"),
			".claude/agents/x.md": named("a"),
			".cursor/agents/x.md": named("b"),
			".codex/agents/x.toml": codex("b"),
		});
		const { agents, problems, shadowed } = await discover({ repo: folder });
		expect(agents.map(({ name, dialect }) => [name, dialect])).toEqual([
			["a", "native"],
			["b", "cursor"],
		]);
		expect(problems).toMatchObject([
			{ severity: "information", code: "agent.shadowed", file: join(folder, ".claude/agents/x.md"), line: 2 },
			{ severity: "information", code: "agent.shadowed", file: join(folder, ".codex/agents/x.toml") },
		]);
		expect(shadowed.map(({ agent, by }) => [agent.dialect, by])).toEqual([
			["claude", join(folder, ".agents/agents/x.md")],
			["codex", join(folder, ".cursor/agents/x.md")],
		]);
	});

	it("are an error in one layer and dialect, also of another program (A33)", async () => {
		const folder = temporaryFolder({ ".claude/agents/a.md": named("x"), ".claude/agents/sub/b.md": named("X") });
		const { agents, problems } = await discover({ repo: folder });
		expect(agents.map(({ file }) => file)).toEqual([join(folder, ".claude/agents/a.md")]);
		expect(problems).toMatchObject([{ code: "agent.duplicate", file: join(folder, ".claude/agents/sub/b.md") }]);
	});

	it("are the repo's when its file is of another program, with a note", async () => {
		const home = temporaryFolder({ ".agents/agents/a.md": named("a") });
		const repo = temporaryFolder({ ".claude/agents/a.md": named("a") });
		const { agents, problems, shadowed } = await discover({ home, repo });
		expect(agents).toMatchObject([{ layer: "repo", dialect: "claude", shadows: join(home, ".agents/agents/a.md") }]);
		expect(problems).toMatchObject([
			{ severity: "information", code: "agent.shadows", file: join(repo, ".claude/agents/a.md"), line: 2, column: 7 },
		]);
		expect(shadowed.map(({ agent }) => agent.layer)).toEqual(["home"]);
	});

	it("stay home's while the repo's own file does not say that it overrides, whatever home's dialect is (R-20)", async () => {
		const home = temporaryFolder({ ".claude/agents/a.md": named("a") });
		const repo = temporaryFolder({ ".agents/agents/a.md": named("a"), ".cursor/agents/a.md": named("a") });
		const { agents, problems } = await discover({ home, repo });
		expect(agents.map(({ layer }) => layer)).toEqual(["home"]);
		expect(problems.map(({ code }) => code)).toEqual(["agent.shadowed", "agent.clash"]);
	});

	it("are the repo's by setting (R-08)", async () => {
		const home = temporaryFolder({ ".agents/agents/a.md": named("a") });
		const repo = temporaryFolder({ ".agents/agents/a.md": named("a") });
		const { agents, problems, shadowed } = await discover({ home, repo }, { onDuplicate: "projectWins" });
		expect(agents).toMatchObject([{ layer: "repo", shadows: join(home, ".agents/agents/a.md") }]);
		expect(problems).toEqual([]);
		expect(shadowed).toHaveLength(1);
	});

	it("need the word `override` in a role pack too, which the setting does not say", async () => {
		const home = temporaryFolder({ ".agents/agents/a.md": named("a"), ".agents/agents/b.md": named("b") });
		const role = temporaryFolder({
			".agents/agents/a.md": named("a"),
			".agents/agents/b.md": agentText("override: true", { name: "b" }),
		});
		const { agents, problems } = await discover({ home, role }, { onDuplicate: "projectWins" });
		expect(agents.map(({ name, layer }) => [name, layer])).toEqual([
			["a", "home"],
			["b", "role"],
		]);
		expect(problems.map(({ code }) => code)).toEqual(["agent.clash"]);
	});
});

describe("findDialect", () => {
	it.each([
		[".agents/agents/a.md", "native", "a.md"],
		[".claude/agents/team/a.md", "claude", "team/a.md"],
		[".github/agents/a.agent.md", "vscode", "a.agent.md"],
		[".opencode/agents/x/a.md", "opencode", "x/a.md"],
		[".codex/agents/a.toml", "codex", "a.toml"],
		[".cline/agents/a.yml", "cline", "a.yml"],
	])("knows %s as %s", (place, id, path) => {
		const found = findDialect("repo", "/repo", `/repo/${place}`);
		expect([found?.dialect.id, found?.path]).toEqual([id, path]);
	});

	it.each([
		".agents/agents/sub/a.md",
		".agents/a.md",
		"README.md",
		".github/agents/a.md",
		"../x/.agents/agents/a.md",
		".agents/agents/.a.md",
	])("knows that %s is no agent", (place) => {
		expect(findDialect("repo", "/repo", join("/repo", place))).toBeUndefined();
	});
});
