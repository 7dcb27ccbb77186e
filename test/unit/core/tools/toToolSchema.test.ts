import { describe, expect, it } from "vitest";
import { createBuiltinTools } from "../../../../src/core/tools/builtinTools.ts";
import { toToolSchema } from "../../../../src/core/tools/toToolSchema.ts";

describe("toToolSchema", () => {
	it("gives the model the schema that checks its calls, with optional fields and no dialect", () => {
		const schemas = createBuiltinTools({ ripgrepPath: undefined }).map(toToolSchema);
		expect(schemas.map(({ name, inputSchema }) => [name, inputSchema["required"] ?? []])).toEqual([
			["read_file", ["path"]],
			["write_file", ["path", "content"]],
			["edit_file", ["path"]],
			["list_dir", []],
			["glob", ["pattern"]],
			["grep", ["pattern"]],
			["shell", ["command"]],
			["shell_start", ["command"]],
			["shell_status", ["id"]],
			["shell_kill", ["id"]],
			["web_fetch", ["url"]],
			["attach_file", []],
			["todo", ["items"]],
			["skill", ["name"]],
		]);
		// Some providers take nothing else at the top.
		expect(new Set(schemas.map(({ inputSchema }) => inputSchema["type"]))).toEqual(new Set(["object"]));
		expect(schemas[0]?.inputSchema).toEqual({
			type: "object",
			properties: {
				path: { type: "string", description: expect.any(String) },
				offset: { type: "integer", minimum: 1, maximum: 2_147_483_647, description: expect.any(String) },
				limit: { type: "integer", minimum: 1, maximum: 2_147_483_647, description: expect.any(String) },
			},
			required: ["path"],
			additionalProperties: false,
		});
	});
});
