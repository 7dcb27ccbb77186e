import { createHash } from "node:crypto";
import { stat, realpath } from "node:fs/promises";
import path from "node:path";
import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { mainAgent } from "../agents/mainAgent.ts";
import { createId } from "../base/ids.ts";
import { isInside } from "../base/isInside.ts";
import type { ResolvedConfig } from "../config/resolveConfig.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";
import type { Clock } from "../ports/clock.ts";
import { titleOf, type Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import { defaultRunTimeoutSeconds, type RunRequest } from "../runs/runRequest.ts";
import { createChildSessionKey } from "../sessions/session.ts";
import type { Acceptance } from "../store/acceptRun.ts";
import type { Database } from "../store/database.ts";
import type { NewSession } from "../store/sessions.ts";
import { chooseModel } from "./chooseModel.ts";
import { chooseRole, type ChosenRole } from "./role.ts";
import { accept, refuse, type RefusedSpawn, type SpawnAnswer } from "./spawnAnswer.ts";
import { parseSpawnRequest, type SpawnRequest } from "./spawnRequest.ts";
import { composeFirstMessage } from "./subagentPrompt.ts";

/** Who spawns. */
export interface Requester {
	readonly session: NewSession;
	/** The run that asks, when it is a run. */
	readonly runId: string | null;
	/** A person is never refused for the limits of a session. */
	readonly isPerson: boolean;
	/** Who asks again with the same key means the same run. */
	readonly retryKey?: string;
	/** What a person gives along on the command line. */
	readonly grants?: Pick<RunRequest, "allow" | "onAsk">;
}

export interface SpawnContext {
	readonly requester: Requester;
	readonly agents: readonly AgentDefinition[];
	readonly models: ModelRegistry;
	readonly config: Pick<ResolvedConfig, "defaults" | "modelRoles">;
	readonly clock: Clock;
	readonly database: Database;
	readonly hostId: string;
	/** The open folder, or null. */
	readonly repoFolder: string | null;
	readonly limits: { readonly active: number; readonly retained: number; readonly depth: number };
	/** The tools that an agent would really have: without any it can do nothing. */
	toolNames(agent: AgentDefinition): readonly string[];
	/** Whether a role has a pack. */
	hasRolePack(role: string): Promise<boolean>;
}

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
	const agents = spawnable(context);
	// Who names none means its own.
	const name = request.agent ?? requester.session.agentId;
	const agent = findAgent(name, agents);
	if (!agent) return { answer: refuse("error", agentNotFound(name, agents)) };
	const place = await findRepoDir(request, context);
	const refusal = place.refusal ?? checkAgent(request, agent, context);
	if (refusal) return { answer: refusal };

	const chosen = chooseRole(request, agent.role);
	const parents = await findParentsModel(context);
	const model = await chooseModel({ called: request.model, agent, parents, config: context.config }, context.models);
	const warnings = [...model.warnings];
	if (chosen.role !== null && !(await context.hasRolePack(chosen.role))) {
		warnings.push(`There is no role pack "${chosen.role}", so your own configuration is used.`);
	}
	const acceptance = await commit(request, agent, chosen, { model: model.ref, repoDir: place.repoDir }, context);
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

async function findParentsModel({ requester: { runId }, database }: SpawnContext): Promise<string | undefined> {
	return runId === null ? undefined : (await database.call("getRun", { runId }))?.model;
}

function commit(
	request: SpawnRequest,
	agent: AgentDefinition,
	{ role, label, task }: ChosenRole,
	{ model, repoDir }: { readonly model: string; readonly repoDir: string | null },
	{ requester, clock, database, hostId, limits }: SpawnContext,
): Promise<Acceptance> {
	const at = clock.now();
	const { context = null, taskId = null, metadata = null, thinking = null, budget = agent.budget ?? null } = request;
	const planMode = request.planMode ?? agent.planMode ?? false;
	const isolation = request.isolation ?? agent.isolation ?? "none";
	return database.call("acceptRun", {
		id: createId("run"),
		hostId,
		kind: "subagent",
		lane: "subagent",
		cause: "spawn",
		agentId: agent.name,
		role,
		label,
		task,
		model,
		request: {
			context,
			taskId,
			metadata,
			requestedModel: request.model ?? null,
			thinking,
			planMode,
			runTimeoutSeconds: request.runTimeoutSeconds ?? agent.runTimeoutSeconds ?? defaultRunTimeoutSeconds,
			deliver: request.deliver ?? false,
			isolation: isolation === "scratch" ? "scratch" : "none",
			repoDir,
			mcpConfigPath: request.mcpConfigPath ?? null,
			budget,
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

function hashOf(request: SpawnRequest): string {
	const sorted = Object.entries(request).toSorted(([one], [other]) => (one < other ? -1 : 1));
	return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

/** Some agents are for people only: no agent has them at its disposal. */
function spawnable({ agents, requester }: SpawnContext): readonly AgentDefinition[] {
	return agents.filter(
		({ visibility, isForPeopleOnly }) =>
			visibility === "user-facing" && (requester.isPerson || isForPeopleOnly !== true),
	);
}

function findAgent(name: string, agents: readonly AgentDefinition[]): AgentDefinition | undefined {
	const wanted = name.toLowerCase();
	return agents.find((agent) => agent.name === wanted) ?? (wanted === mainAgent.name ? mainAgent : undefined);
}

/** What is asked for and not built yet is refused: a fallback that nobody asked for would be worse. */
function checkAgent(request: SpawnRequest, agent: AgentDefinition, context: SpawnContext): RefusedSpawn | null {
	if ((request.isolation ?? agent.isolation) === "worktree") {
		return refuse("error", "isolation worktree is not in this version; use none or scratch.");
	}
	if (request.mcpConfigPath !== undefined) return refuse("error", "mcpConfigPath is not in this version.");
	// Which tools its servers have shows only when they run.
	const hasServers = agent.tools?.some((name) => name.startsWith("mcp__")) === true;
	if (!hasServers && context.toolNames(agent).length === 0) {
		const error = `The agent ${agent.name} would have no tool at all: its list and what is denied leave none. Change tools or disallowedTools in ${agent.file}.`;
		return refuse("error", error);
	}
	return null;
}

/** The folder to work in by its real path: what the name leads to later is not what was checked. */
async function findRepoDir({ repoDir }: SpawnRequest, { repoFolder }: SpawnContext) {
	if (repoDir === undefined) return { repoDir: null };
	const shown = JSON.stringify(repoDir.slice(0, 200));
	const real = await realpath(path.resolve(repoFolder ?? "/", repoDir)).catch(() => undefined);
	const status = real === undefined ? undefined : await stat(real).catch(() => undefined);
	if (real === undefined || status?.isDirectory() !== true) {
		const error = `repoDir ${shown} is not a folder that exists. Name one, or leave repoDir out.`;
		return { repoDir: null, refusal: refuse("error", error) };
	}
	const root = repoFolder === null ? undefined : await realpath(repoFolder).catch(() => undefined);
	if (root !== undefined && isInside(root, real)) return { repoDir: real };
	const error = `repoDir ${shown} is outside the open folder. Open that folder in VS Code and spawn there.`;
	return { repoDir: null, refusal: refuse("forbidden", error) };
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

function agentNotFound(name: string, agents: readonly AgentDefinition[]): string {
	const names = agents.map((agent) => agent.name);
	const hint =
		names.length > 0
			? `Available: ${names.join(", ")}.`
			: "No agents are defined yet: run “Muster: Set Up This Workspace”.";
	return `There is no agent named ${JSON.stringify(name.slice(0, 80))}. ${hint}`;
}
