import { messageOf } from "../base/errors.ts";
import { explainAskedAgain } from "../mcp/explainAskedAgain.ts";
import type { McpLease } from "../mcp/mcpPool.ts";
import { chooseMcpServers, type McpServer } from "../mcp/mcpServers.ts";
import { describeServer } from "../mcp/serverCommand.ts";
import type { PermissionGate } from "../permissions/sideEffect.ts";
import type { Clock } from "../ports/clock.ts";
import type { Run } from "../runs/run.ts";
import type { Database } from "../store/database.ts";
import type { Tool } from "../tools/tool.ts";
import type { LiveRun } from "./liveRun.ts";
import type { McpHub } from "./mcpHub.ts";
import type { RunApprovals } from "./runApprovals.ts";
import type { RunDefinition } from "./runExecutor.ts";

export interface RunServersOptions {
	readonly hub: McpHub;
	readonly database: Database;
	readonly clock: Clock;
	readonly gate: PermissionGate;
	readonly approvals: RunApprovals;
	readonly live: LiveRun;
	/** Real paths of the workspace's folders; the servers work in the first. */
	readonly roots: readonly string[];
}

/** What a run has of its MCP servers. */
export interface RunServers {
	readonly tools: readonly Tool[];
	release(): void;
}

const none: RunServers = { tools: [], release: () => undefined };

/**
 * The servers that an agent may use, each asked about where nobody has agreed to it yet. One that does not work, or that is
 * not allowed, is missing, and the transcript says so: the run goes on without it.
 */
export async function openServers(
	run: Run,
	{ agent, servers, serverProblems = [] }: RunDefinition,
	options: RunServersOptions,
): Promise<RunServers> {
	const [folder] = options.roots;
	const chosen = chooseMcpServers(servers, agent.mcpServers, agent.file);
	const isWanted = agent.tools === undefined || agent.tools.some((name) => name.startsWith("mcp__"));
	const notes = [...serverProblems, ...chosen.problems.map(({ message }) => message)];
	if (folder === undefined || !isWanted || chosen.servers.length === 0) {
		await say(run, serverProblems, options);
		return none;
	}
	const leases: McpLease[] = [];
	for (const server of chosen.servers.filter(({ isUsable }) => isUsable)) {
		const lease = await options.hub.acquire(server, { folder, roots: options.roots });
		const refusal = server.needsConsent ? await askConsent(server, lease, options) : undefined;
		if (refusal === undefined) leases.push(lease);
		else {
			lease.release();
			notes.push(`The MCP server “${server.name}” is left out: ${refusal}`);
		}
	}
	const { createMcpTools } = await import("../mcp/mcpTools.ts");
	const { stop } = options.live;
	const made = await createMcpTools(leases, {
		tools: agent.tools,
		disallowedTools: agent.disallowedTools,
		signal: stop,
	}).catch((error: unknown) => ({ tools: [], problems: [{ message: messageOf(error) }] }));
	notes.push(...made.problems.map(({ message }) => message));
	await say(run, notes, options);
	return { tools: made.tools, release: () => leases.forEach((lease) => lease.release()) };
}

/** Undefined when it may start, else why not. */
async function askConsent(
	server: McpServer,
	{ consentHash: hash }: McpLease,
	{ database, clock, gate, approvals, live }: RunServersOptions,
): Promise<string | undefined> {
	if (await database.call("hasConsent", { hash })) return undefined;
	const subject = describeServer(server);
	const decision = await gate.decide({ kind: "start", server: server.name, command: subject }, `mcp(${server.name})`);
	if (decision.verdict === "deny") return decision.reason;
	if (decision.verdict === "ask") {
		const earlier = await database.call("readLastConsent", { server: server.name });
		const again = earlier ? `. ${explainAskedAgain(earlier, { hash, subject })}` : "";
		const question = { ...decision.ask, why: decision.ask.why + again };
		const call = { toolCallId: `consent:${hash}`, toolName: `mcp(${server.name})`, input: shownFields(server) };
		const answer = await approvals.during(() => approvals.ask(call, call.toolName, question, live.stop));
		if (!answer.isAllowed) return "nobody has allowed it to start.";
	}
	await database.call("putConsent", { hash, server: server.name, subject, at: clock.now() });
	return undefined;
}

/** Everything that decides what is started or called; values of variables are not among it. */
function shownFields({ fields, provenance }: McpServer): object {
	const { command, args, cwd, url, env, envVars, httpHeaders, bearerTokenEnvVar } = fields;
	return { command, args, cwd, url, env, envVars, httpHeaders, bearerTokenEnvVar, from: provenance.file };
}

async function say({ id: runId, sessionId }: Run, notes: readonly string[], options: RunServersOptions): Promise<void> {
	const { database, clock } = options;
	const notice = { turn: 0, kind: "notice", toolName: null, toolCallId: null, isError: false } as const;
	const entries = notes.map((text) => ({ ...notice, text, at: clock.now() }));
	if (entries.length > 0) await database.call("appendToLiveRun", { runId, sessionId, entries });
}
