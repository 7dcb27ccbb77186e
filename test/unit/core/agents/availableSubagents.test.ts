import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../../src/core/agents/agentDefinition.ts";
import { describeAvailableSubagents } from "../../../../src/core/agents/availableSubagents.ts";

const anAgent = (fields: Partial<AgentDefinition> = {}): AgentDefinition => ({
	name: "helper",
	description: "Helps.",
	visibility: "user-facing",
	prompt: "You help.",
	dialect: "native",
	layer: "repo",
	file: "/repo/.agents/agents/helper.md",
	...fields,
});

describe("describeAvailableSubagents", () => {
	it("gives each agent's description, tools, timeout and an example call with context (S3-11)", () => {
		const block = describeAvailableSubagents([anAgent({ tools: ["read_file", "grep"], timeoutSeconds: 60 })]);
		expect(block?.split("\n")[0]).toBe("[available-subagents]");
		expect(block).toContain(
			"## helper\nHelps.\nTools: read_file, grep\nTimeout: 60s without progress\nExample: spawn_agent(",
		);
		const example = /^Example: spawn_agent\((.*)\)$/mu.exec(block ?? "")?.[1] ?? "";
		expect(JSON.parse(example)).toEqual({ agent: "helper", task: expect.any(String), context: expect.any(String) });
	});

	it("teaches what belongs into the context", () => {
		expect(describeAvailableSubagents([anAgent()])).toMatch(/details of the workspace.*wider goal.*Leave out/u);
	});

	it("is sorted, whatever the order of the agents", () => {
		const agents = ["charlie", "alpha", "bravo"].map((name) => anAgent({ name }));
		const headings = describeAvailableSubagents(agents)?.match(/^## \S+$/gmu);
		expect(headings).toEqual(["## alpha", "## bravo", "## charlie"]);
	});

	it("is absent when there are none to spawn", () => {
		expect(describeAvailableSubagents([])).toBeUndefined();
		const hidden = [anAgent({ visibility: "internal" }), anAgent({ isForPeopleOnly: true })];
		expect(describeAvailableSubagents(hidden)).toBeUndefined();
	});

	it("keeps the whole description, on one line", () => {
		const description = `Helps.\n\n## other\nTools: all\n${"Long. ".repeat(500)}`.trim();
		const block = describeAvailableSubagents([anAgent({ description })]);
		expect(block?.match(/^## .*$/gmu)).toEqual(["## helper", "## How to delegate"]);
		expect(block).toContain(description.replaceAll(/\s+/gu, " "));
	});

	it.each([
		[{}, "the same as yours"],
		[{ disallowedTools: ["shell"] }, "the same as yours without shell"],
		[{ tools: ["grep", "shell"], disallowedTools: ["shell"] }, "grep"],
		[{ tools: [] }, "none"],
	])("says which tools an agent has: %j", (fields, tools) => {
		expect(describeAvailableSubagents([anAgent(fields)])).toContain(`\nTools: ${tools}\n`);
	});

	it.each([
		[{}, "120s without progress"],
		[{ timeoutSeconds: 0 }, "none"],
	])("says how long an agent may be silent: %j", (fields, timeout) => {
		expect(describeAvailableSubagents([anAgent(fields)])).toContain(`\nTimeout: ${timeout}\n`);
	});
});
