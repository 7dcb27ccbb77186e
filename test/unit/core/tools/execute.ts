import { join } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../../src/core/ports/clock.ts";
import { childEnvironment } from "../../../../src/core/permissions/childEnvironment.ts";
import { ProcessGroups } from "../../../../src/core/processes/processGroup.ts";
import type { Tool, ToolResult } from "../../../../src/core/tools/tool.ts";
import { createToolServices, type ToolServices } from "../../../../src/core/tools/toolServices.ts";

/** The real services of a run, on the real system. What it has started ends with the test. */
export function aRunsServices(fields: Partial<ToolServices> = {}): ToolServices {
	const processes = new ProcessGroups({ clock: systemClock, graceMs: 200 });
	onTestFinished(async () => void (await processes.close()));
	const { env } = childEnvironment(process.env, { roots: ["/nowhere"] });
	return { ...createToolServices({ runId: "run_1", clock: systemClock, processes, env }), ...fields };
}

/** Runs a tool on a path as if the gate had allowed it. Throws when the input does not fit the tool. */
export async function execute(
	tool: Tool,
	root: string,
	input: { readonly path?: string; readonly [field: string]: unknown },
	signal: AbortSignal = new AbortController().signal,
	services: ToolServices = aRunsServices(),
): Promise<ToolResult> {
	const prepared = tool.prepare(input);
	if (!prepared.ok) throw new Error(prepared.problem);
	return prepared.execute({ ...services, path: join(root, input.path ?? "."), root, callId: "call_1", signal });
}
