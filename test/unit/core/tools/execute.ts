import { join } from "node:path";
import type { Tool, ToolResult } from "../../../../src/core/tools/tool.ts";

/** Runs a tool on a path as if the gate had allowed it. Throws when the input does not fit the tool. */
export async function execute(
	tool: Tool,
	root: string,
	input: { readonly path?: string; readonly [field: string]: unknown },
	signal: AbortSignal = new AbortController().signal,
): Promise<ToolResult> {
	const prepared = tool.prepare(input);
	if (!prepared.ok) throw new Error(prepared.problem);
	return prepared.execute({ path: join(root, input.path ?? "."), root, signal });
}
