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
	it("are each either there or known not to be there yet", () => {
		const available = createBuiltinTools({ ripgrepPath: undefined }).map((tool) => tool.name);
		expect([...available, ...unavailableToolNames].toSorted()).toEqual(builtinToolNames.toSorted());
	});

	it.each(unavailableToolNames)("come with something to do instead of %s", (name) => {
		expect(explainUnavailableTool(name)).toMatch(new RegExp(`^${name} is not available yet: .*\\. [A-Z].*\\.$`));
	});
});
