import { mkdirSync, realpathSync } from "node:fs";
import path from "node:path";
import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { childEnvironment } from "../permissions/childEnvironment.ts";
import { createWorkspaceGate } from "../permissions/workspaceGate.ts";
import type { Clock } from "../ports/clock.ts";
import type { ProcessGroups } from "../processes/processGroup.ts";
import type { Run } from "../runs/run.ts";
import { createBuiltinTools } from "../tools/builtinTools.ts";
import { dispatchToolCall } from "../tools/dispatchToolCall.ts";
import type { Tool } from "../tools/tool.ts";
import { effectiveTools } from "../tools/toolPolicy.ts";
import { createToolServices } from "../tools/toolServices.ts";
import type { Toolbox } from "./runExecutor.ts";

export interface ToolOptions {
	readonly repoFolder: string | null;
	readonly ripgrepPath: string | undefined;
	readonly clock: Clock;
	readonly processes: ProcessGroups;
}

/** The tools that an agent really has. `sessionTools` are for main agents only. */
export function toolsOf(
	agent: AgentDefinition,
	{ ripgrepPath }: ToolOptions,
	sessionTools: readonly Tool[] = [],
): readonly Tool[] {
	return effectiveTools({
		available: [...createBuiltinTools({ ripgrepPath }), ...sessionTools],
		tools: agent.tools,
		disallowedTools: agent.disallowedTools,
		isSubagent: sessionTools.length === 0,
	});
}

/** Everything that a run works with, made for this run alone. `folder` is the store's, which has room for scratch. */
export async function openToolbox(
	run: Run,
	agent: AgentDefinition,
	options: ToolOptions & { readonly folder: string; readonly sessionTools: readonly Tool[] },
): Promise<Toolbox> {
	const folder = workFolder(run, options);
	const root = folder === null ? null : realpathSync.native(folder);
	const tools = toolsOf(agent, options, options.sessionTools);
	const gate = createWorkspaceGate(root === null ? [] : [root]);
	const { clock, processes } = options;
	const services = createToolServices({
		runId: run.id,
		clock,
		processes,
		env: childEnvironment(process.env, { roots: root === null ? [] : [root] }).env,
	});
	return {
		tools,
		root,
		runTool: (call, signal) => dispatchToolCall(call, { tools, gate, root: root ?? "", signal, services }),
		dispose: async () => void (await processes.killAll(run.id)),
	};
}

function workFolder(
	{ id, request }: Run,
	{ repoFolder, folder }: { repoFolder: string | null; folder: string },
): string | null {
	if (request.isolation !== "scratch") return request.repoDir ?? repoFolder;
	const scratch = path.join(folder, "scratch", id);
	mkdirSync(scratch, { recursive: true, mode: 0o700 });
	return scratch;
}
