import { describe, expect, it } from "vitest";
import { createBuiltinTools } from "../../../../src/core/tools/builtinTools.ts";
import { builtinToolNames, canonicalToolName } from "../../../../src/core/tools/toolNames.ts";
import { explainUnavailableTool, unavailableToolNames } from "../../../../src/core/tools/unavailableTools.ts";

describe("canonicalToolName", () => {
	it.each([
		["read", "read_file"],
		["file_read", "read_file"],
		["write", "write_file"],
		["file_write", "write_file"],
		["exec", "shell"],
		["http_get", "web_fetch"],
		["Read", "read_file"],
		["Bash", "shell"],
		["Grep", "grep"],
		["LS", "list_dir"],
		[" READ_FILE ", "read_file"],
	])("knows %j as %s", (alias, name) => {
		expect(canonicalToolName(alias)).toBe(name);
	});

	it.each([...builtinToolNames, "mcp__Server__Tool", "constructor", ""])("leaves %j as it is", (name) => {
		expect(canonicalToolName(name)).toBe(name);
	});
});

describe("the built-in tools", () => {
	it("are all there in an editor where a search service is chosen", () => {
		const search = { label: "Some", search: () => Promise.resolve({ ok: true as const, results: [] }) };
		const languages = { diagnostics: () => [], symbolsOf: async () => [], findSymbols: async () => [] };
		const available = createBuiltinTools({ ripgrepPath: undefined, search, languages }).map((tool) => tool.name);
		expect(available.toSorted()).toEqual(builtinToolNames.toSorted());
	});

	it("are each either always there, or said to need something", () => {
		const available = createBuiltinTools({ ripgrepPath: undefined }).map((tool) => tool.name);
		expect([...available, ...unavailableToolNames].toSorted()).toEqual(builtinToolNames.toSorted());
	});

	it("leave out web_search where nobody has chosen a service, and say how to have it", () => {
		const available = createBuiltinTools({ ripgrepPath: undefined }).map((tool) => tool.name);
		expect(available).not.toContain("web_search");
		expect(explainUnavailableTool("web_search")).toContain("in the setting muster.webSearch.backend");
	});

	it.each(unavailableToolNames)("come with something to do instead of %s", (name) => {
		expect(explainUnavailableTool(name)).toMatch(new RegExp(`^${name} is not available here: .*\\. [A-Z].*\\.$`));
	});
});
