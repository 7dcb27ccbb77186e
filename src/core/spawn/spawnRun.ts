import * as z from "zod";
import type { AgentDefinition } from "../agents/agentDefinition.ts";
import type { DiscoveredAgents } from "../agents/discoverAgents.ts";
import { createId } from "../base/ids.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";
import type { Clock } from "../ports/clock.ts";
import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import { createChildSessionKey, userSession } from "../sessions/session.ts";
import type { Database } from "../store/database.ts";
import { SpawnRequest, type SpawnAnswer } from "./spawnRequest.ts";
import { composeFirstMessage } from "./subagentPrompt.ts";

export interface SpawnContext extends DiscoveredAgents {
	readonly models: ModelRegistry;
	readonly clock: Clock;
	readonly database: Database;
	readonly hostId: string;
}

export interface Spawned {
	readonly answer: SpawnAnswer;
	readonly accepted?: { readonly run: Run; readonly events: readonly RunEvent[] };
}

/** Admits a run on behalf of the user's session: checked, committed, answered. Starting it is the lanes' business. */
export async function spawnRun(request: unknown, context: SpawnContext): Promise<Spawned> {
	const parsed = SpawnRequest.safeParse(request);
	if (!parsed.success) return refuse(`The request cannot be used: ${z.prettifyError(parsed.error)}`);
	const { agent: name, task, context: facts = null, label = null } = parsed.data;
	const agent = context.agents.find((candidate) => candidate.name === name && candidate.visibility === "user-facing");
	if (!agent) return refuse(agentNotFound(name, context.agents));

	const { models, clock, database, hostId } = context;
	const { model, isFirstChoice, warning } = models.resolve([agent.model]);
	const at = clock.now();
	const session = {
		id: createId("session"),
		key: createChildSessionKey(name),
		kind: "subagent",
		agentId: name,
		depth: 1,
		createdAt: at,
	} as const;
	const accepted = await database.call("acceptRun", {
		session,
		requester: { ...userSession, id: createId("session"), depth: 0, createdAt: at },
		run: {
			id: createId("run"),
			sessionId: session.id,
			parentRunId: null,
			hostId,
			kind: "subagent",
			lane: "subagent",
			agentId: name,
			label,
			task,
			context: facts,
			model: model.ref,
			queuedAt: at,
		},
		prompt: composeFirstMessage(task, facts),
	});
	const { run, queuePosition } = accepted;
	const answer: SpawnAnswer = {
		status: "accepted",
		accepted: true,
		runId: run.id,
		childSessionKey: run.sessionKey,
		sessionKey: run.sessionKey,
		sessionId: run.sessionId,
		lane: run.lane,
		queuePosition,
		resolvedModel: model.ref,
		modelApplied: isFirstChoice,
		...(warning && { warning }),
	};
	return { answer, accepted };
}

function refuse(error: string): Spawned {
	return { answer: { status: "error", accepted: false, error } };
}

function agentNotFound(name: string, agents: readonly AgentDefinition[]): string {
	const names = agents.filter(({ visibility }) => visibility === "user-facing").map((agent) => agent.name);
	const hint =
		names.length > 0
			? `Available: ${names.join(", ")}.`
			: "No agents are defined yet: run “Muster: Set Up This Workspace”.";
	return `There is no agent named "${name}". ${hint}`;
}
