import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { discoverAgents } from "../../../../src/core/agents/discoverAgents.ts";
import { agentText, someTools } from "./agentText.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const agents = (files: Readonly<Record<string, string>>) =>
	temporaryFolder(Object.fromEntries(Object.entries(files).map(([name, text]) => [`.agents/agents/${name}`, text])));
const inRepo = (path: string) => discoverAgents([{ layer: "repo", path }], someTools);
const inBoth = (home: string, repo: string) =>
	discoverAgents(
		[
			{ layer: "home", path: home },
			{ layer: "repo", path: repo },
		],
		someTools,
	);
const brief = (problems: readonly { code: string; file: string }[]) =>
	problems.map(({ code, file }) => [code, file.split("/").at(-1)]);

describe("discoverAgents", () => {
	it("loads the good files and names the bad ones", async () => {
		const folder = agents({
			"b.md": agentText("", { name: "bravo" }),
			"a.md": agentText("", { name: "alpha" }),
			"broken.md": "no frontmatter",
			"typo.md": agentText("tools: [gerp]", { name: "typo" }),
			"notes.txt": "not an agent",
			".hidden.md": "not an agent",
		});
		const found = await inRepo(folder);
		expect(found.agents.map(({ name, layer, file }) => [name, layer, file])).toEqual([
			["alpha", "repo", join(folder, ".agents/agents/a.md")],
			["bravo", "repo", join(folder, ".agents/agents/b.md")],
		]);
		expect(brief(found.problems)).toEqual([
			["agent.noFrontmatter", "broken.md"],
			["agent.unknownTool", "typo.md"],
		]);
	});

	it("finds nothing wrong with a folder that has no agents, or that is not there", async () => {
		expect(await inRepo(temporaryFolder())).toMatchObject({ agents: [], problems: [] });
		expect(await inRepo(join(temporaryFolder(), "missing"))).toMatchObject({ agents: [], problems: [] });
	});

	it("reports a folder of agents that can't be read", async () => {
		const found = await inRepo(temporaryFolder({ ".agents/agents": "a file" }));
		expect(brief(found.problems)).toEqual([["agent.unreadable", "agents"]]);
	});

	it("keeps internal agents, marked as they are", async () => {
		const { agents: found } = await inRepo(agents({ "a.md": agentText("visibility: internal") }));
		expect(found.map(({ visibility }) => visibility)).toEqual(["internal"]);
	});

	it("loads the ordinal-first of two files with the same name, and names it to the other (A33)", async () => {
		const folder = agents({ "b.md": agentText(), "B.md": agentText(), "a.md": agentText("", { name: "other" }) });
		const found = await inRepo(folder);
		expect(found.agents.find(({ name }) => name === "helper")?.file).toBe(join(folder, ".agents/agents/B.md"));
		expect(brief(found.problems)).toEqual([["agent.duplicate", "b.md"]]);
		expect(found.problems[0]?.message).toContain(join(folder, ".agents/agents/B.md"));
	});

	it("skips the repo's file when home has an agent of that name", async () => {
		const home = agents({ "a.md": agentText("color: red") });
		const repo = agents({ "z.md": agentText("color: blue"), "own.md": agentText("", { name: "own" }) });
		const found = await inBoth(home, repo);
		expect(found.agents.map(({ name, layer, color }) => [name, layer, color])).toEqual([
			["helper", "home", "red"],
			["own", "repo", undefined],
		]);
		expect(brief(found.problems)).toEqual([["agent.clash", "z.md"]]);
		expect(found.problems[0]?.message).toContain("override: true");
	});

	it("takes the repo's file when it says that it overrides, and remembers what it shadows", async () => {
		const home = agents({ "a.md": agentText() });
		const repo = agents({ "a.md": agentText("override: true") });
		const found = await inBoth(home, repo);
		expect(found.agents).toMatchObject([{ layer: "repo", shadows: join(home, ".agents/agents/a.md") }]);
		expect(found.problems).toEqual([]);
	});

	it("reads a folder once that is both home and repo, also by another path", async () => {
		const home = agents({ "a.md": agentText() });
		const link = join(temporaryFolder(), "link");
		symlinkSync(home, link);
		const found = await inBoth(home, link);
		expect(found.agents.map(({ layer }) => layer)).toEqual(["home"]);
		expect(found.problems).toEqual([]);
	});

	it("reads regular files only, and nothing outside of the root (A31)", async () => {
		const outside = temporaryFolder({ "secret.md": agentText("", { name: "secret" }) });
		const folder = agents({ "real.md": agentText(), "../elsewhere.md": agentText("", { name: "linked" }) });
		const at = (name: string) => join(folder, ".agents/agents", name);
		symlinkSync(join(outside, "secret.md"), at("escape.md"));
		symlinkSync("/dev/zero", at("device.md"));
		symlinkSync(at("loop.md"), at("loop.md"));
		symlinkSync(join(folder, ".agents/elsewhere.md"), at("inside.md"));
		symlinkSync("nowhere.md", at("broken.md"));
		mkdirSync(at("folder.md"));
		execFileSync("mkfifo", [at("pipe.md")]);
		const found = await inRepo(folder);
		expect(found.agents.map(({ name }) => name)).toEqual(["helper", "linked"]);
		expect(brief(found.problems)).toEqual([
			["agent.unreadable", "broken.md"],
			["agent.outside", "device.md"],
			["agent.outside", "escape.md"],
			["agent.notRegular", "folder.md"],
			["agent.unreadable", "loop.md"],
			["agent.notRegular", "pipe.md"],
		]);
	});

	it("does not read a file of 10 MB", async () => {
		const found = await inRepo(
			agents({ "big.md": `${agentText()}${"a".repeat(10_000_000)}`, "small.md": agentText() }),
		);
		expect(found.agents).toHaveLength(1);
		expect(brief(found.problems)).toEqual([["agent.tooLarge", "big.md"]]);
	});
});
