import { ProblemError } from "../base/errors.ts";
import type { PlanApprover } from "../announce/announcement.ts";
import type { AgentDefinition } from "../agents/agentDefinition.ts";
import type { Clock } from "../ports/clock.ts";
import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import { isTerminal } from "../runs/runState.ts";
import type { SpawnAnswer } from "../spawn/spawnAnswer.ts";
import type { Requester } from "../spawn/spawnContext.ts";
import type { Database } from "../store/database.ts";
import type { SessionPort } from "../tools/session/sessionPort.ts";
import type { LiveRun } from "./liveRun.ts";
import { lastAnswer } from "./lastAnswer.ts";
import type { PlanDesk } from "./planDesk.ts";
import type { RunRegistry } from "./runRegistry.ts";
import type { SessionControl } from "./sessionControl.ts";
import { untilEnded } from "./untilEnded.ts";

export interface SessionDeskOptions {
	readonly database: Database;
	readonly clock: Clock;
	readonly control: SessionControl;
	spawn(request: unknown, requester: Requester): Promise<SpawnAnswer>;
	readonly runs: RunRegistry;
	/** Those that the run may spawn. */
	agents(run: Run): Promise<readonly AgentDefinition[]>;
	readonly plans: PlanDesk;
	readonly planApprover: () => PlanApprover;
	/** Called after each commit. */
	onChanged(runs: readonly Run[], events: readonly RunEvent[]): void;
}

const stillAtWork = "It is still at work; its result comes as a message.";

/** The engine as one main agent's run sees it: its own children and nothing else. */
export function createSessionDesk(run: Run, live: LiveRun, options: SessionDeskOptions): SessionPort {
	const { database, clock, control } = options;
	const children = () => database.call("listChildren", { sessionId: run.sessionId, limit: 100 });

	let waiters = 0;

	/**
	 * Gives the slot back while it waits, so that its children can have it, and takes it again before it goes on. One turn
	 * may wait for several at once: then the last of them lets the run go on.
	 */
	async function whileWaiting<Value>(wait: () => Promise<Value>): Promise<Value> {
		waiters++;
		const waiting = await database.call("waitRun", { runId: run.id, reason: "children", at: clock.now() });
		if (waiting) options.onChanged([waiting.run], waiting.events);
		const value = await wait();
		if (--waiters > 0) return value;
		const resumed = live.untilResumed();
		const continued = await database.call("continueRun", { runId: run.id, at: clock.now() });
		options.onChanged([continued], []);
		if (continued.state === "waiting_children") await resumed;
		return value;
	}

	/** How it ended, or undefined when it has not in time; who is answered is not told a second time. */
	async function resultOf(runId: string, waitSeconds: number) {
		const ended = await whileWaiting(() => untilEnded(options.runs, runId, clock, waitSeconds * 1000));
		if (!ended) return undefined;
		const { events } = await database.call("settleAnswered", { runId, at: clock.now() });
		options.onChanged([], events);
		return { runId, status: ended.state, answer: await lastAnswer(database, ended), error: ended.error };
	}

	return {
		children,
		async spawn(parameters, toolCallId, isOverBudget = false) {
			const session = await control.session(run.sessionId);
			const { wait, ...rest } = takeWait(parameters);
			const grants = isOverBudget ? { grants: { isOverBudget } } : {};
			const requester = { session, runId: run.id, isPerson: false, retryKey: toolCallId, ...grants };
			const answer = await options.spawn(rest, requester);
			if (wait === undefined || !answer.accepted) return answer;
			const result = await resultOf(answer.runId, wait);
			return { ...answer, ...(result ? { result } : { waitExpired: true }) };
		},
		child: async (target) => findChild(await children(), target),
		lastEntries: ({ sessionId }, limit) => database.call("readLastEntries", { sessionId, limit }),
		async send(child, message, waitSeconds) {
			const decided = await decideByWord(child, message, options);
			if (decided) return decided;
			const sent = await control.send(await control.session(child.sessionId), message);
			if (sent.kind === "steered") return { runId: sent.run.id, steered: true };
			const { id: runId } = sent.run;
			if (waitSeconds === 0) return { runId, queued: true };
			return (await resultOf(runId, waitSeconds)) ?? { runId, status: "running", note: stillAtWork };
		},
		stop: (child) => control.stop(child.id, "Its parent stopped it."),
		remove: (child) => control.remove(child.id),
		async yield(seconds) {
			const working = (await children()).filter(({ state }) => !isTerminal(state));
			if (working.length === 0) return;
			await whileWaiting(() =>
				Promise.race(working.map(({ id }) => untilEnded(options.runs, id, clock, seconds * 1000))),
			);
		},
		agents: async () => (await options.agents(run)).map(describeAgent),
	};
}

function describeAgent({ name, description, tools = [] }: AgentDefinition) {
	return { name, description, tools };
}

/** `APPROVED…` and `REJECTED: …` decide about the session's plan, where the user lets agents do that. */
async function decideByWord(child: Run, message: string, { database, plans, planApprover }: SessionDeskOptions) {
	const word = /^\s*(APPROVED|REJECTED)\b:?\s*(.*)$/su.exec(message);
	const plan = word && (await database.call("getAwaitingPlan", { sessionId: child.sessionId }));
	if (!plan) return undefined;
	if (planApprover() === "user") {
		const text = "Only the user can approve or reject this plan. It waits for them; you will be told what comes of it.";
		throw new ProblemError({ code: "plan.onlyUser", message: text });
	}
	const [, verdict, reason = ""] = word;
	const { run } =
		verdict === "APPROVED"
			? await plans.approve(plan.id, { by: "agent" })
			: await plans.reject(plan.id, reason, { by: "agent" });
	return { runId: run.id, queued: true };
}

function findChild(children: readonly Run[], target: string): Run {
	const found = children.filter(
		({ id, sessionKey, sessionId }) =>
			id.startsWith(target) || id.startsWith(`run_${target}`) || sessionKey === target || sessionId === target,
	);
	const newest = found.at(-1);
	if (newest && new Set(found.map(({ sessionId }) => sessionId)).size === 1) return newest;
	const message = newest
		? `Several of your subagents begin with ${target}. Give more of the id.`
		: `You have no subagent ${target}. Look at sessions_list.`;
	throw new ProblemError({ code: "run.notFound", message });
}

/** Waiting is done here, where the run's slot can be given back; the engine's own answer is immediate. */
function takeWait(parameters: unknown): { wait?: number } & Record<string, unknown> {
	if (typeof parameters !== "object" || parameters === null) return {};
	const { wait, ...rest } = parameters as Record<string, unknown>;
	if (wait === true) return { ...rest, wait: 60 };
	if (typeof wait === "number" && Number.isInteger(wait) && wait >= 1 && wait <= 600) return { ...rest, wait };
	return wait === undefined || wait === false ? rest : { ...rest, wait: Number.NaN };
}
