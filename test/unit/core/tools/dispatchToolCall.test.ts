import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { PermissionGate } from "../../../../src/core/permissions/sideEffect.ts";
import { createBuiltinTools } from "../../../../src/core/tools/builtinTools.ts";
import { defineTool } from "../../../../src/core/tools/defineTool.ts";
import { dispatchToolCall, type DispatchContext } from "../../../../src/core/tools/dispatchToolCall.ts";
import type { Tool, ToolContext, ToolResult } from "../../../../src/core/tools/tool.ts";
import { readingGate } from "../../../fakes/readingGate.ts";
import { temporaryFolder, withFiles } from "../../../fakes/temporaryFolder.ts";
import { aRunsServices } from "./execute.ts";

const builtinTools = createBuiltinTools({ ripgrepPath: rgPath });

const allowAll: PermissionGate = {
	decide: async () => ({ verdict: "allow", path: "/allowed", because: "of the test" }),
};

function aTool(execute: (context: ToolContext) => Promise<ToolResult>): Tool {
	return defineTool({
		name: "a_tool",
		description: "",
		input: z.unknown(),
		effect: () => ({ kind: "run", command: "true" }),
		subject: () => "",
		execute: (_input, context) => execute(context),
	});
}

function dispatch(toolName: string, input: unknown, context: Partial<DispatchContext> = {}): Promise<ToolResult> {
	const { signal } = new AbortController();
	const defaults = { tools: builtinTools, gate: allowAll, root: "/", signal, services: aRunsServices() };
	return dispatchToolCall({ toolCallId: "1", toolName, input }, { ...defaults, ...context });
}

describe("dispatchToolCall", () => {
	it("runs a tool on the path that the gate allows", async () => {
		const root = withFiles(temporaryFolder(), { "src/cart.ts": "total" });
		const context = { root, gate: readingGate([root]) };
		expect(await dispatch("read_file", { path: "src/cart.ts" }, context)).toEqual({ text: "1\ttotal", isError: false });
		expect(await dispatch("list_dir", {}, context)).toEqual({ text: "src/", isError: false });
		expect(await dispatch("grep", { pattern: "tot" }, context)).toEqual({
			text: "src/cart.ts:1:total",
			isError: false,
		});
	});

	it("knows a tool by its other names", async () => {
		const root = withFiles(temporaryFolder(), { a: "x" });
		expect(await dispatch("Read", { path: "a" }, { root, gate: readingGate([root]) })).toMatchObject({
			text: "1\tx",
		});
	});

	it("does not reach outside the workspace with any tool", async () => {
		const outer = withFiles(temporaryFolder(), { "ws/a": "", "secret/key": "hidden" });
		const root = join(outer, "ws");
		for (const [toolName, input] of [
			["read_file", { path: "../secret/key" }],
			["list_dir", { path: "../secret" }],
			["grep", { pattern: "hidden", path: ".." }],
		] as const) {
			expect(await dispatch(toolName, input, { root, gate: readingGate([root]) })).toEqual({
				text: expect.stringContaining("is restricted to its workspace, and"),
				isError: true,
			});
		}
	});

	it("does not run what the gate denies, and hands on the reason", async () => {
		const runs: string[] = [];
		const tool = aTool(async ({ path }) => {
			runs.push(path);
			return { text: "done", isError: false };
		});
		const gate: PermissionGate = { decide: async () => ({ verdict: "deny", reason: "Ask the user first." }) };
		expect(await dispatch("a_tool", {}, { tools: [tool], gate })).toEqual({
			text: "Ask the user first.",
			isError: true,
		});
		expect(runs).toEqual([]);
		expect(await dispatch("a_tool", {}, { tools: [tool] })).toEqual({ text: "done", isError: false });
		expect(runs).toEqual(["/allowed"]);
	});

	it("names the tools that there are, and the nearest, for a name that is not known", async () => {
		const names =
			"read_file, write_file, edit_file, list_dir, glob, grep, shell, shell_start, shell_status, shell_kill, web_fetch, attach_file, todo, skill";
		expect(await dispatch("read_fil", {})).toEqual({
			text: `There is no tool named "read_fil". Did you mean read_file? Available tools: ${names}.`,
			isError: true,
		});
		expect((await dispatch("make_coffee", {})).text).toBe(
			`There is no tool named "make_coffee". Available tools: ${names}.`,
		);
		expect((await dispatch("x".repeat(1_000_000), {})).text.length).toBeLessThan(400);
	});

	it("says that a tool needs the editor, and what to do instead", async () => {
		const expected = {
			text: "diagnostics is not available here: it needs the language services of VS Code, for agents whose tools name it, and on the command line there are none. Use grep and read_file instead.",
			isError: true,
		};
		expect(await dispatch("diagnostics", {})).toEqual(expected);
		expect(await dispatch("get_diagnostics", {})).toEqual(expected);
	});

	it.each([
		["write_file", { path: "a", content: "new" }, "cannot write files"],
		["edit_file", { path: "a", old_string: "old", new_string: "new" }, "cannot write files"],
		["shell", { command: "echo new > a" }, "cannot run commands"],
		["shell_start", { command: "echo new > a" }, "cannot run commands"],
	])("leaves the workspace as it is when the gate allows reading only: %s", async (toolName, input, reason) => {
		const root = withFiles(temporaryFolder(), { a: "old" });
		expect(await dispatch(toolName, input, { root, gate: readingGate([root]) })).toEqual({
			text: expect.stringContaining(reason),
			isError: true,
		});
		expect(readFileSync(join(root, "a"), "utf8")).toBe("old");
	});

	it("refuses a tool that the agent does not have", async () => {
		const [readFile] = builtinTools;
		expect(await dispatch("grep", { pattern: "x" }, { tools: readFile ? [readFile] : [] })).toEqual({
			text: "grep is not allowed for this agent. Available tools: read_file.",
			isError: true,
		});
		expect(await dispatch("sessions_spawn", {}, { tools: [] })).toEqual({
			text: "sessions_spawn is not allowed for this agent. This agent has no tools: answer without them.",
			isError: true,
		});
	});

	it.each([
		[{}, "path: Invalid input: expected string, received undefined"],
		[{ path: 7 }, "path: Invalid input: expected string, received number"],
		[{ path: "a", offset: 0 }, "offset: Too small: expected number to be >=1"],
		[{ path: "a", limit: "ten" }, "limit: Invalid input: expected number, received string"],
		[{ path: "a", file: "b" }, 'input: Unrecognized key: "file"'],
		["a", "input: Invalid input: expected object, received string"],
		[null, "input: Invalid input: expected object, received null"],
	])("names the field and what it expects for the input %j", async (input, problem) => {
		const { text, isError } = await dispatch("read_file", input);
		expect(text).toBe(`read_file cannot use this input. ${problem}. Correct it and call again.`);
		expect(isError).toBe(true);
	});

	it("turns what a tool or the gate throws into a result", async () => {
		const tool = aTool(() => Promise.reject(new Error("disk on fire")));
		expect(await dispatch("a_tool", {}, { tools: [tool] })).toEqual({
			text: "a_tool did not work: disk on fire. Try another way, or say so in your report.",
			isError: true,
		});
		const gate: PermissionGate = { decide: () => Promise.reject(new Error("gate broken")) };
		expect((await dispatch("a_tool", {}, { tools: [tool], gate })).text).toContain("gate broken");
	});

	it("does not start what was stopped while the gate was asked", async () => {
		const controller = new AbortController();
		const gate: PermissionGate = {
			async decide() {
				controller.abort();
				return { verdict: "allow", path: "/allowed", because: "of the test" };
			},
		};
		const tool = aTool(async () => ({ text: "done", isError: false }));
		expect(await dispatch("a_tool", {}, { tools: [tool], gate, signal: controller.signal })).toEqual({
			text: "a_tool was stopped.",
			isError: true,
		});
	});

	it("says that a call was stopped, whether before or while it ran", async () => {
		const controller = new AbortController();
		const tool = aTool(async ({ signal }) => {
			controller.abort();
			signal.throwIfAborted();
			return { text: "done", isError: false };
		});
		const stopped = { text: "a_tool was stopped.", isError: true };
		expect(await dispatch("a_tool", {}, { tools: [tool], signal: controller.signal })).toEqual(stopped);
		expect(await dispatch("a_tool", {}, { tools: [tool], signal: AbortSignal.abort() })).toEqual(stopped);
	});
});
