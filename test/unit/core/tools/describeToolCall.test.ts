import { describe, expect, it } from "vitest";
import { createBuiltinTools } from "../../../../src/core/tools/builtinTools.ts";
import { describeToolCall } from "../../../../src/core/tools/describeToolCall.ts";

const tools = createBuiltinTools({ ripgrepPath: undefined });

describe("describeToolCall", () => {
	it.each([
		["read_file", { path: "src/cart.ts" }, "read_file src/cart.ts"],
		["Read", { path: "src/cart.ts" }, "read_file src/cart.ts"],
		["list_dir", {}, "list_dir ."],
		["grep", { pattern: "total" }, "grep total"],
		["grep", { pattern: "total", path: "src" }, "grep total in src"],
		["read_file", { path: "src/cart.ts", offset: "x" }, "read_file src/cart.ts"],
		["read_file", { path: 7 }, "read_file"],
		["read_file", null, "read_file"],
		["write_file", { path: "src/cart.ts", content: "…" }, "write_file src/cart.ts"],
		["shell", { command: "npm test\nrm x" }, "shell npm test rm x"],
		["web_fetch", { url: "https://example.org" }, "web_fetch https://example.org"],
		["unknown", "text", "unknown"],
	])("puts %s %j on one line", (toolName, input, expected) => {
		expect(describeToolCall({ toolCallId: "1", toolName, input }, tools)).toBe(expected);
	});

	it("is never longer than a line", () => {
		const call = { toolCallId: "1", toolName: "grep", input: { pattern: "🎉".repeat(500) } };
		const description = describeToolCall(call, tools);
		expect(description).toMatch(/^grep 🎉+…$/u);
		expect(description.length).toBeLessThanOrEqual(120);
	});
});
