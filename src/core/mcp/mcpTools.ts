import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import type { McpServerFields } from "../config/mcpServerFields.ts";
import { shorten } from "../tools/shorten.ts";
import type { Tool, ToolOrigin } from "../tools/tool.ts";
import type { McpLease } from "./mcpPool.ts";
import { mcpToolName } from "./mcpToolName.ts";
import type { ServerTool } from "./serverTool.ts";

/** A tool of a server as an agent gets it. */
export interface McpTool extends Tool {
	readonly jsonSchema: Readonly<Record<string, unknown>>;
	readonly origin: ToolOrigin;
}

export interface McpTools {
	readonly tools: readonly McpTool[];
	/** Servers that don't work and tools that are left out, in words for people. A run goes on without them. */
	readonly problems: readonly McpToolsProblem[];
}

export interface McpToolsProblem {
	readonly server: string;
	/** Missing when it is the whole server. */
	readonly tool?: string;
	readonly message: string;
}

export interface McpToolsOptions {
	/** The agent's lists; a tool by its name or by its server's name for it, or a whole server as `mcp__server`. */
	readonly tools?: readonly string[] | undefined;
	readonly disallowedTools?: readonly string[] | undefined;
	readonly signal?: AbortSignal;
}

/** A model that sees more finds none. */
const maxTools = 128;
const maxSubject = 120;

const Input = z.record(z.string(), z.unknown());

/** The tools of all servers of a run, each server by itself: one that fails hides no other. */
export async function createMcpTools(leases: readonly McpLease[], options: McpToolsOptions = {}): Promise<McpTools> {
	const parts = await Promise.all(leases.map((lease) => createServerTools(lease, options)));
	options.signal?.throwIfAborted();
	const tools = new Map<string, McpTool>();
	const problems = parts.flatMap((part) => part.problems);
	for (const tool of parts.flatMap((part) => part.tools)) {
		const { origin, name } = tool;
		const leaveOut = (why: string) =>
			problems.push({ server: origin.server, tool: origin.tool, message: `${nameTool(origin)} is left out: ${why}.` });
		if (tools.has(name)) leaveOut(`another tool is ${name} already`);
		else if (tools.size >= maxTools) leaveOut(`a run has at most ${maxTools} tools of servers`);
		else tools.set(name, tool);
	}
	return { tools: [...tools.values()], problems };
}

async function createServerTools(lease: McpLease, options: McpToolsOptions): Promise<McpTools> {
	const { name: server } = lease.server;
	try {
		const { tools, problems } = await lease.tools(options.signal);
		return {
			tools: tools.map((tool) => createMcpTool(lease, tool)).filter((tool) => isWanted(tool, options)),
			problems: problems.map(({ tool, reason }) => ({
				server,
				tool,
				message: `${nameTool({ server, tool })} is left out: ${reason}.`,
			})),
		};
	} catch (error) {
		return { tools: [], problems: [{ server, message: messageOf(error) }] };
	}
}

function createMcpTool(
	lease: McpLease,
	{ name: tool, description, inputSchema, isReadOnly, hash }: ServerTool,
): McpTool {
	const { name: server, fields } = lease.server;
	return {
		name: mcpToolName(server, tool),
		description: `${description === "" ? tool : description}\n(From the MCP server "${server}".)`,
		input: Input,
		jsonSchema: inputSchema,
		origin: { server, tool, hash, approval: approvalOf(fields, tool), isReadOnly },
		prepare(raw) {
			const input = Input.safeParse(raw);
			// What the fields may be is for the server to say.
			if (!input.success) return { ok: false, problem: "The input must be an object" };
			return {
				ok: true,
				effect: { kind: "mcp", server, tool, approval: approvalOf(fields, tool), isReadOnly },
				subject: shorten(JSON.stringify(input.data), maxSubject),
				execute: ({ signal }) => lease.call(tool, input.data, { signal, hash }),
			};
		},
	};
}

/** What a server claims of its tools lowers nothing: `auto` and `writes` both ask at the first use. */
export function approvalOf(
	{ tools = {}, defaultToolsApprovalMode }: McpServerFields,
	tool: string,
): ToolOrigin["approval"] {
	const own = Object.hasOwn(tools, tool) ? tools[tool]?.approvalMode : undefined;
	const mode = own ?? defaultToolsApprovalMode;
	if (mode === "approve") return "allow";
	return mode === "prompt" ? "eachCall" : "firstUse";
}

function isWanted({ name, origin }: McpTool, { tools, disallowedTools = [] }: McpToolsOptions): boolean {
	const whole = `mcp__${origin.server}`;
	const names = new Set([name, `${whole}__${origin.tool}`, whole, `${whole}__*`]);
	const isIn = (list: readonly string[]) => list.some((each) => names.has(each.trim()));
	return !isIn(disallowedTools) && (tools === undefined || isIn(tools));
}

function nameTool({ server, tool }: Pick<ToolOrigin, "server" | "tool">): string {
	return `The tool "${tool}" of the MCP server "${server}"`;
}
