import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentFileCache } from "../../../../src/core/agents/agentFileCache.ts";
import { discoverAgents } from "../../../../src/core/agents/discoverAgents.ts";
import { temporaryFolder, withFiles } from "../../../fakes/temporaryFolder.ts";
import { agentText, someTools } from "./agentText.ts";

function aFolder() {
	const folder = temporaryFolder({ ".agents/agents/a.md": agentText("color: red") });
	const cache = new AgentFileCache();
	return {
		folder,
		file: join(folder, ".agents/agents/a.md"),
		discover: (vocabulary = someTools) => discoverAgents([{ layer: "repo", path: folder }], vocabulary, { cache }),
	};
}

describe("discoverAgents with a cache", () => {
	it("does not read a file again that is the same", async () => {
		const { discover } = aFolder();
		const [first] = (await discover()).agents;
		const [second] = (await discover()).agents;
		expect(second).toBe(first);
	});

	it("gives the problems of a file that is the same once more", async () => {
		const { folder, discover } = aFolder();
		withFiles(folder, { ".agents/agents/b.md": "nothing", ".claude/agents/a.md": agentText() });
		const first = await discover();
		expect(first.problems.map(({ code }) => code)).toEqual(["agent.noFrontmatter", "agent.shadowed"]);
		expect(await discover()).toEqual(first);
	});

	it("reads a file again that has changed, though it has the same size and time", async () => {
		const { file, discover } = aFolder();
		await discover();
		const { atime, mtime } = statSync(file);
		writeFileSync(file, agentText("color: tan"));
		utimesSync(file, atime, mtime);
		expect((await discover()).agents.map(({ color }) => color)).toEqual(["tan"]);
	});

	it("reads a file again that another was put in the place of", async () => {
		const { folder, file, discover } = aFolder();
		await discover();
		withFiles(folder, { "other.md": agentText("color: tan") });
		renameSync(join(folder, "other.md"), file);
		expect((await discover()).agents.map(({ color }) => color)).toEqual(["tan"]);
	});

	it("never serves the last good copy of a file that has become invalid (S3-08)", async () => {
		const { file, discover } = aFolder();
		await discover();
		writeFileSync(file, "broken");
		expect(await discover()).toMatchObject({ agents: [], problems: [{ code: "agent.noFrontmatter" }] });
		writeFileSync(file, agentText());
		expect((await discover()).agents).toHaveLength(1);
	});

	it("forgets a file that is gone, and finds one that is new", async () => {
		const { folder, file, discover } = aFolder();
		await discover();
		rmSync(file);
		withFiles(folder, { ".agents/agents/b.md": agentText("", { name: "other" }) });
		expect((await discover()).agents.map(({ name }) => name)).toEqual(["other"]);
	});

	it("reads everything again when other tools are known", async () => {
		const { folder, discover } = aFolder();
		withFiles(folder, { ".agents/agents/a.md": agentText("tools: [deploy]") });
		expect((await discover()).problems).toMatchObject([{ code: "agent.unknownTool" }]);
		const withDeploy = {
			toolNames: ["deploy"],
			isKnownTool: (name: string) => name === "deploy",
			findPatternProblem: () => undefined,
		};
		expect((await discover(withDeploy)).agents).toHaveLength(1);
	});

	it("gives a file to the layer that it is read for", async () => {
		const { folder } = aFolder();
		const cache = new AgentFileCache();
		const layerOf = async (layer: "home" | "repo") =>
			(await discoverAgents([{ layer, path: folder }], someTools, { cache })).agents.map((agent) => agent.layer);
		expect(await layerOf("home")).toEqual(["home"]);
		expect(await layerOf("repo")).toEqual(["repo"]);
	});
});
