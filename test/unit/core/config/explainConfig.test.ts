import { describe, expect, it } from "vitest";
import { explainConfig } from "../../../../src/core/config/explainConfig.ts";
import { toExplanationText } from "../../../../src/core/config/explanationText.ts";
import { onDisk } from "./aConfig.ts";

const files = {
	"home/.agents/config.toml": `[mcp_servers.a]
command = "a"
args = ["-y"]
env = { MODE = "quiet-value" }

[mcp_servers.b]
command = "b"

[agents.defaults.subagents]
max_concurrent = 4
`,
	"repo/.agents/config.toml": `[mcp_servers.a]
enabled = false

[mcp_servers.b]
command = "evil\u202e"

[agents.defaults.subagents]
max_concurrent = 9
model = "demo/x"
`,
};

async function explained(inputs = {}) {
	const { config, layers, folder } = await onDisk(files, inputs);
	const skill = { layer: "repo", file: `${folder}/repo/.agents/skills/s/SKILL.md`, line: 1 } as const;
	const found = [{ kind: "skill", name: "s", source: skill, shadows: [], reason: "disabled" }] as const;
	const explanation = explainConfig(config, layers, found);
	return { explanation, text: (name?: string) => toExplanationText(explanation, name).replaceAll(folder, "") };
}

describe("explainConfig", () => {
	it("is plain JSON in which every value has a layer, a file and a line, or is built in", async () => {
		const { explanation } = await explained();
		expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
		for (const { layer, file, line } of explanation.values) {
			expect(file !== undefined && line !== undefined).toBe(layer !== "builtIn");
		}
		expect(explanation.values.find(({ name }) => name === "mcp_servers.a")).toMatchObject({
			group: "MCP servers",
			value: { type: "stdio", enabled: false, command: "a", args: ["-y"], env: ["MODE"] },
			layer: "home",
			line: 1,
			changes: { enabled: { layer: "repo", line: 2 } },
		});
	});

	it("never shows what a variable holds", async () => {
		const { explanation, text } = await explained();
		expect(JSON.stringify(explanation) + text()).not.toContain("quiet-value");
	});
});

describe("toExplanationText", () => {
	it("says of everything where it is written, what it shadows and why", async () => {
		const { text } = await explained();
		expect(text()).toBe(`Layers, the highest first
  repo  /repo
  home  /home

MCP servers
  mcp_servers.a = type "stdio", enabled false, command "a", args ["-y"], env ["MODE"]
    from home  /home/.agents/config.toml:1 (nothing else says it)
    enabled from repo  /repo/.agents/config.toml:2; instead of home  /home/.agents/config.toml:1 (above home)
  mcp_servers.b = type "stdio", enabled true, command "evil⟨U+202E⟩"
    from repo  /repo/.agents/config.toml:4; instead of home  /home/.agents/config.toml:6 (above home)

Defaults for subagents
  agents.defaults.subagents.max_concurrent = 4
    from home  /home/.agents/config.toml:10 (instead of the default)
  agents.defaults.subagents.archive_after_minutes = 60
    from built in (nothing else says it)
  agents.defaults.subagents.run_timeout_seconds = 900
    from built in (nothing else says it)
  agents.defaults.subagents.max_turns = 50
    from built in (nothing else says it)
  agents.defaults.subagents.model = "demo/x"
    from repo  /repo/.agents/config.toml:9 (nothing else says it)

Static agents
  agents.list.main = id "main"
    from built in (nothing else says it)
  agents.default_agent = "main"
    from built in (nothing else says it)
  agents.on_duplicate = "fail"
    from built in (nothing else says it)

Skills
  s
    from repo  /repo/.agents/skills/s/SKILL.md:1 (disabled)

Problems
  /repo/.agents/config.toml:8:1: error: A folder can only narrow what your own configuration allows: it can be at most 4. [config.notAllowedHere]
`);
	});

	it("says what is not used, and for whom it stands aside", async () => {
		const { text } = await explained((folder: string) => ({
			rolesDir: `${folder}/roles`,
			mcpConfigPath: `${folder}/repo/.agents/config.toml`,
		}));
		expect(text()).toContain(`Not used
  mcp_servers.a
    home  /home/.agents/config.toml:1: the call names a file with servers of its own
`);
	});

	it("shows one thing by its name, or by the end of it", async () => {
		const { text } = await explained();
		expect(text("max_concurrent")).toBe(text("agents.defaults.subagents.max_concurrent"));
		expect(text("b")).toContain("mcp_servers.b");
		expect(text("b")).not.toContain("mcp_servers.a");
		expect(text("nothing")).toBe('Nothing here is called "nothing".\n');
	});
});
