import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parseAgentFile } from "../../../../src/core/agents/agentFile.ts";
import { parseFrontmatter } from "../../../../src/core/agents/frontmatter.ts";
import { stockFiles } from "../../../../src/core/agents/stockAgents.ts";
import { someTools } from "./agentText.ts";

const contentsOf = (path: string) => stockFiles.find((file) => file.path === path)?.contents ?? "";

describe("stockFiles", () => {
	it("has three agents that load without a word", async () => {
		const stockAgents = stockFiles.filter(({ agentName }) => agentName !== undefined);
		const parsed = await Promise.all(
			stockAgents.map(({ path, contents }) => parseAgentFile({ layer: "repo", file: path }, contents, someTools)),
		);
		expect(parsed.flatMap(({ problems }) => problems)).toEqual([]);
		expect(parsed.map(({ agent }) => agent?.name)).toEqual(stockAgents.map(({ agentName }) => agentName));
		expect(parsed.map(({ agent }) => agent?.tools)).toEqual([
			["web_search", "web_fetch", "read_file", "attach_file"],
			["read_file", "list_dir", "grep", "glob"],
			["read_file", "list_dir"],
		]);
		expect(parsed[0]?.agent).toMatchObject({ modelRole: "Compaction", timeoutSeconds: 120 });
	});

	it("has a skill whose name is its folder's", async () => {
		const skill = await parseFrontmatter(contentsOf(".agents/skills/release-notes/SKILL.md"));
		expect(skill).toMatchObject({ data: { name: "release-notes", description: expect.any(String) } });
	});

	it("has a configuration that sets nothing, and is valid when its lines are used", () => {
		const config = contentsOf(".agents/config.toml");
		expect(parse(config)).toEqual({});
		expect(parse(config.replaceAll(/^#(?=\S)/gmu, ""))).toMatchObject({
			mcp_servers: { context7: { command: "npx" }, figma: { enabled: true }, chrome_devtools: {} },
			agents: { defaults: { subagents: { max_concurrent: 8 } } },
		});
	});
});
