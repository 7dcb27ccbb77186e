import { describe, expect, it } from "vitest";
import { effectiveTools, type ToolPolicy } from "../../../../src/core/tools/toolPolicy.ts";

const available = ["read_file", "list_dir", "grep", "shell", "mcp__docs__search"].map((name) => ({ name }));
const sessionTools = ["sessions_spawn", "sessions_list", "sessions_delete", "spawn_agent", "gateway", "cron"].map(
	(name) => ({
		name,
	}),
);

function namesFor(policy: Partial<ToolPolicy<{ name: string }>>): string[] {
	const defaults = { available, tools: undefined, disallowedTools: undefined, isSubagent: true };
	return effectiveTools({ ...defaults, ...policy }).map((tool) => tool.name);
}

describe("effectiveTools", () => {
	it("gives every tool to an agent that lists none", () => {
		expect(namesFor({})).toEqual(available.map((tool) => tool.name));
	});

	it("gives only the listed tools, in the order in which they are available", () => {
		expect(namesFor({ tools: ["mcp__docs__search", "read_file", "unknown"] })).toEqual([
			"read_file",
			"mcp__docs__search",
		]);
	});

	it("gives nothing to an agent whose list is empty", () => {
		expect(namesFor({ tools: [] })).toEqual([]);
	});

	it("lets deny beat allow, under any name", () => {
		expect(namesFor({ tools: ["read_file", "shell"], disallowedTools: ["exec"] })).toEqual(["read_file"]);
		expect(namesFor({ tools: ["Bash", "Read"], disallowedTools: ["read"] })).toEqual(["shell"]);
	});

	it("denies without an allow list", () => {
		expect(namesFor({ disallowedTools: ["Grep", "mcp__docs__search"] })).toEqual(["read_file", "list_dir", "shell"]);
	});

	it("never gives a subagent the tools that rule over sessions, even when they are listed", () => {
		const tools = sessionTools.map((tool) => tool.name);
		expect(namesFor({ available: sessionTools, tools })).toEqual([]);
		expect(namesFor({ available: sessionTools, tools, isSubagent: false })).toEqual(tools);
	});
});
