import { createHash } from "node:crypto";
import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { createId } from "../base/ids.ts";
import type { ResolvedConfig } from "../config/resolveConfig.ts";
import { type ResolvedRole, resolveRole } from "../config/resolveRole.ts";
import { type KeyChain, keyChain, usersKeys } from "../models/keyChain.ts";
import { titleOf, type Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import { defaultRunTimeoutSeconds, type RunRequest } from "../runs/runRequest.ts";
import { createChildSessionKey } from "../sessions/session.ts";
import type { Acceptance } from "../store/acceptRun.ts";
import { narrowTools, type NarrowedTools } from "../tools/narrowTools.ts";
import { chooseBudget } from "./chooseBudget.ts";
import { chooseModel } from "./chooseModel.ts";
import { findMcpConfig } from "./findMcpConfig.ts";
import { findPlace } from "./findPlace.ts";
import { type Asking, findAsking, findTarget, isRestrictedUnder, listTools } from "./findTarget.ts";
import { findUsedBudget } from "./findUsedBudget.ts";
import { accept, refuse, type RefusedSpawn, type SpawnAnswer } from "./spawnAnswer.ts";
import type { SpawnConfig, SpawnContext } from "./spawnContext.ts";
import { parseSpawnRequest, type SpawnRequest } from "./spawnRequest.ts";
import { composeFirstMessage } from "./subagentPrompt.ts";

export interface Spawned {
	readonly answer: SpawnAnswer;
	readonly accepted?: { readonly run: Run; readonly events: readonly RunEvent[] };
	/** How many seconds the caller wants to wait. */
	readonly wait?: number;
}

/** Admits a run: checked, committed, answered. Starting it is the lanes' business. A refusal leaves no record. */
export async function spawnRun(raw: unknown, context: SpawnContext): Promise<Spawned> {
	const parsed = parseSpawnRequest(raw);
	if (!parsed.ok) return { answer: refuse("error", parsed.error) };
	const { request } = parsed;
	const { requester, limits } = context;
	if (!requester.isPerson && requester.session.depth >= limits.depth) {
		const error = "A subagent cannot spawn subagents. Do the work yourself, or say in your report what is left to do.";
		return { answer: refuse("forbidden", error) };
	}
	const asking = await findAsking(context);
	const target = await findTarget(request, asking, context);
	if ("refusal" in target) return { answer: target.refusal };
	const { agent } = target;
	const place = await findPlace(request, agent, asking, context.repoFolder);
	if (place.refusal) return { answer: place.refusal };
	const mcp = await findMcpConfig(request.mcpConfigPath, requester.isPerson, context.repoFolder);
	if ("refusal" in mcp) return { answer: mcp.refusal };

	const chosen = resolveRole({ ...request, ...(agent.role !== undefined && { agentRole: agent.role }) });
	if (chosen.problem) return { answer: refuse("error", chosen.problem.message) };
	const role = chosen.role ?? null;
	const config = await findConfig(agent, role, context);
	const toolLists = listTools(agent, asking);
	const { defaults } = config;
	const ofAll = { tools: defaults.allowTools?.value, disallowedTools: defaults.denyTools?.value };
	const refusal = checkAgent(request, { ...agent, ...narrowTools(agent, toolLists, ofAll) }, context);
	if (refusal) return { answer: refusal };
	if (requester.grants?.isOverBudget !== true) {
		const used = await findUsedBudget(agent.name, context.config.defaults, context);
		if (used !== undefined) return { answer: { ...refuse("rejected", used), isOverBudget: true } };
	}
	const parents = asking.run?.model;
	const keys = keyChain(agent, keysOf(asking));
	const model = await chooseModel({ called: request.model, agent, parents, config }, context.models.forAgents(keys));
	const warnings = [...model.warnings];
	if (role !== null && !(await context.hasRolePack(role))) {
		warnings.push(`There is no role pack "${role}", so your own configuration is used.`);
	}
	const files = { repoDir: place.repoDir, mcpConfigPath: mcp.mcpConfigPath };
	const made = { model: model.ref, ...files, toolLists, keys, isPacksAgent: target.isPacksAgent };
	const acceptance = await commit(request, agent, chosen, { ...made, asking, defaults }, context);
	const facts = { modelApplied: model.isApplied, warnings };
	switch (acceptance.kind) {
		case "conflict":
			return { answer: refuse("error", "The same call was made before with other parameters. Make a new call.") };
		case "full":
			return { answer: describeFull(acceptance) };
		case "known":
			return { answer: accept(acceptance.run, { ...facts, queuePosition: acceptance.queuePosition }) };
		case "accepted": {
			const { run, events, queuePosition } = acceptance;
			const answer = accept(run, { ...facts, queuePosition });
			const wait = request.wait === undefined ? {} : { wait: request.wait };
			return { answer, accepted: { run, events }, ...wait };
		}
	}
}

interface Made extends Pick<RunRequest, "repoDir" | "mcpConfigPath"> {
	readonly model: string;
	readonly toolLists: NarrowedTools;
	readonly keys: KeyChain;
	readonly isPacksAgent: boolean;
	readonly asking: Asking;
	readonly defaults: ResolvedConfig["defaults"];
}

function commit(
	request: SpawnRequest,
	agent: AgentDefinition,
	{ role, label, task }: ResolvedRole,
	{ model, asking, defaults, ...made }: Made,
	{ requester, clock, database, hostId, limits }: SpawnContext,
): Promise<Acceptance> {
	const at = clock.now();
	const { context = null, taskId = null, metadata = null } = request;
	const planMode = request.planMode ?? agent.planMode ?? false;
	const isolation = request.isolation ?? agent.isolation ?? "none";
	return database.call("acceptRun", {
		id: createId("run"),
		hostId,
		kind: "subagent",
		lane: "subagent",
		cause: "spawn",
		agentId: agent.name,
		role: role ?? null,
		label: label?.trim() ? label : null,
		task,
		model,
		request: {
			context,
			taskId,
			metadata,
			requestedModel: request.model ?? null,
			...fillIn(request, agent, defaults, { ...asking, isPerson: requester.isPerson }),
			planMode,
			deliver: request.deliver ?? false,
			isolation: isolation === "scratch" ? "scratch" : "none",
			mcpConfigPath: made.mcpConfigPath,
			repoDir: made.repoDir,
			...(Object.keys(made.toolLists).length > 0 && { toolLists: made.toolLists }),
			...(isRestrictedUnder(asking, agent) && { isRestricted: true }),
			...(made.isPacksAgent && { isPacksAgent: true }),
			...(made.keys !== usersKeys && { keys: made.keys }),
			...requester.grants,
		},
		announceForm: request.announce === false ? "none" : (agent.announce ?? "compact"),
		// Its session carries the plan out later.
		cleanup: planMode ? "keep" : (request.cleanup ?? "keep"),
		parentRunId: requester.runId,
		priority: 0,
		session: {
			id: createId("session"),
			key: createChildSessionKey(agent.name),
			kind: "subagent",
			agentId: agent.name,
			depth: requester.session.depth + 1,
			createdAt: at,
		},
		requester: requester.session,
		prompt: composeFirstMessage(task, context),
		retry: requester.retryKey === undefined ? null : { key: requester.retryKey, hash: hashOf(request) },
		limits: requester.isPerson ? null : limits,
		at,
	});
}

/** Whose keys the asker's own requests carry. */
function keysOf({ run, agent }: Asking): KeyChain {
	return run?.request.keys ?? (agent ? keyChain(agent, usersKeys) : usersKeys);
}

function hashOf(request: SpawnRequest): string {
	const sorted = Object.entries(request).toSorted(([one], [other]) => (one < other ? -1 : 1));
	return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

/** What neither the call nor the agent says: the agent's setting for subagents, else the default of all. */
function fillIn(
	request: SpawnRequest,
	agent: AgentDefinition,
	defaults: ResolvedConfig["defaults"],
	{ run, isPerson }: Asking & { readonly isPerson: boolean },
): Pick<RunRequest, "thinking" | "runTimeoutSeconds" | "budget"> {
	const ofTarget = agent.configured?.subagents;
	const thinking = [request.thinking, agent.thinking, ofTarget?.thinking, defaults.thinking?.value];
	const timeouts = [
		request.runTimeoutSeconds,
		agent.runTimeoutSeconds,
		ofTarget?.runTimeoutSeconds,
		defaults.runTimeoutSeconds?.value,
	];
	return {
		thinking: thinking.find((level) => level !== undefined) ?? run?.request.thinking ?? null,
		runTimeoutSeconds: timeouts.find((seconds) => seconds !== undefined) ?? defaultRunTimeoutSeconds,
		budget: chooseBudget({ called: request.budget, isPerson, agent, byDefault: defaults.budget?.value }),
	};
}

async function findConfig(agent: AgentDefinition, role: string | null, context: SpawnContext): Promise<SpawnConfig> {
	const workspaceDir = agent.configured?.workspace;
	if (role === null && workspaceDir === undefined) return context.config;
	return context.configFor({ ...(role !== null && { role }), ...(workspaceDir !== undefined && { workspaceDir }) });
}

/** What is asked for and not built yet is refused: a fallback that nobody asked for would be worse. */
function checkAgent(request: SpawnRequest, agent: AgentDefinition, context: SpawnContext): RefusedSpawn | null {
	if ((request.isolation ?? agent.isolation) === "worktree") {
		return refuse("error", "isolation worktree is not in this version; use none or scratch.");
	}
	// Which tools its servers have shows only when they run.
	const hasServers = agent.tools?.some((name) => name.startsWith("mcp__")) === true;
	if (!hasServers && context.toolNames(agent).length === 0) {
		const error = `The agent ${agent.name} would have no tool at all: its list and what is denied leave none. Change tools or disallowedTools in ${agent.file}.`;
		return refuse("error", error);
	}
	return null;
}

function describeFull({ limit, count, removable }: Acceptance & { readonly kind: "full" }): RefusedSpawn {
	const rows = removable.map((run) => ({ runId: run.id, label: titleOf(run), state: run.state }));
	const names = rows.map(({ runId, label }) => `${runId} (“${label}”)`).join(", ");
	const what = limit === "active" ? `${count} of your subagents are at work` : `${count} of your subagents are kept`;
	const remedy =
		limit === "active"
			? "Wait for one of them to end, or stop one with sessions_stop."
			: "Remove some with sessions_subagent_remove.";
	const error = `Not accepted: ${what}, which is the most there may be. ${remedy}${names ? ` The oldest that have ended: ${names}.` : ""}`;
	return refuse("rejected", error, rows);
}
