import { describe, expect, it } from "vitest";
import { narrowTools } from "../../../../src/core/tools/narrowTools.ts";

describe("the tools that several lists leave", () => {
	it("are those that each of them allows, under any of their names, and none that one denies", () => {
		const lists = narrowTools(
			{ tools: ["read", "grep", "exec"] },
			{ tools: ["shell", "read_file"], disallowedTools: ["exec"] },
			{ disallowedTools: ["glob"] },
		);
		expect(lists).toEqual({ tools: ["read_file", "shell"], disallowedTools: ["exec", "glob"] });
	});

	it("are not limited by a list that is not there, or has a star", () => {
		expect(narrowTools({}, { tools: ["*"] })).toEqual({});
		expect(narrowTools({}, { tools: ["read"] }, { tools: ["*"] })).toEqual({ tools: ["read"] });
		expect(narrowTools({ tools: ["read"] }, { tools: [] })).toEqual({ tools: [] });
	});

	it("are the tools of a server that one list names, where the other has the whole server", () => {
		const one = { tools: ["mcp__docs__find", "mcp__docs__read", "mcp__other"] };
		expect(narrowTools(one, { tools: ["mcp__docs", "read"] }).tools).toEqual(["mcp__docs__find", "mcp__docs__read"]);
		expect(narrowTools({ tools: ["mcp__docs__*"] }, one).tools).toEqual(["mcp__docs__find", "mcp__docs__read"]);
		expect(narrowTools({ tools: ["mcp__docs"] }, { tools: ["mcp__docs2__find"] }).tools).toEqual([]);
	});
});
