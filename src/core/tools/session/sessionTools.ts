import * as z from "zod";
import type { Ask } from "../../permissions/sideEffect.ts";
import { titleOf, type Run } from "../../runs/run.ts";
import { isTerminal } from "../../runs/runState.ts";
import type { Entry } from "../../sessions/entry.ts";
import { defineTool } from "../defineTool.ts";
import type { Tool } from "../tool.ts";
import type { SessionPort } from "./sessionPort.ts";

const mostHistoryBytes = 80_000;
const mostTextCharacters = 4_000;
const aName = (what: string) => z.string().min(1).optional().describe(what);
/** Who is meant, by any one name: as announcements and lists say it, and as models remember it. */
const names = {
	sessionKey: aName("Its session key."),
	runId: aName("Or its runId, or the unique beginning of one."),
	sessionId: aName("Or its sessionId."),
	target: aName("Or any of these."),
};
type Names = { readonly [Name in keyof typeof names]?: string | undefined };

function withNames<const Shape extends z.ZodRawShape>(shape: Shape) {
	const object = z.strictObject({ ...names, ...shape });
	return object.refine(
		(input) => namesOf(input as Names).length === 1,
		"give exactly one of sessionKey, runId, sessionId",
	);
}

function namesOf({ sessionKey, runId, sessionId, target }: Names): string[] {
	return [sessionKey, runId, sessionId, target].filter((each) => each !== undefined);
}

/** The tools by which a main agent starts, follows and ends its subagents. Subagents never have them. */
export function createSessionTools(port: SessionPort): readonly Tool[] {
	return [
		spawnTool("sessions_spawn", port),
		spawnTool("spawn_agent", port),
		tool("sessions_list", "Lists your subagents: id, state, agent, label, session.", z.strictObject({}), async () => ({
			sessions: (await port.children()).map(toRow),
		})),
		tool(
			"sessions_history",
			"Reads what a subagent has said and done, newest last.",
			withNames({
				limit: z.int().min(1).max(200).default(50),
				includeTools: z.boolean().default(false).describe("Also tool calls and their results."),
			}),
			async (input) => {
				const run = await childOf(port, input);
				return { sessionKey: run.sessionKey, messages: toMessages(await port.lastEntries(run, input.limit), input) };
			},
		),
		tool(
			"sessions_send",
			"Says something to a subagent. A running one reads it at its next step; one that has ended starts again in the same session.",
			withNames({
				message: z.string().refine((text) => text.trim() !== "", "must not be empty"),
				waitSeconds: z.int().min(0).max(600).default(30),
			}),
			async (input) => port.send(await childOf(port, input), input.message, input.waitSeconds),
		),
		tool("sessions_stop", "Stops a subagent and what it has spawned.", withNames({}), async (input) => {
			const run = await childOf(port, input);
			await port.stop(run);
			return { stopped: true, runId: run.id };
		}),
		tool(
			"sessions_subagent_remove",
			"Removes a subagent that has ended, and frees its place. Its transcript stays.",
			withNames({}),
			async (input) => {
				const run = await childOf(port, input);
				await port.remove(run);
				return { removed: true, runId: run.id };
			},
		),
		tool(
			"sessions_yield",
			"Waits until one of your subagents has ended. Their results come to you as messages.",
			z.strictObject({ seconds: z.int().min(1).max(600).default(60) }),
			async ({ seconds }) => {
				await port.yield(seconds);
				return { sessions: (await port.children()).map(toRow) };
			},
		),
		tool("agents_list", "Lists the agents that you can spawn.", z.strictObject({}), async () => ({
			agents: await port.agents(),
		})),
	];
}

function childOf(port: SessionPort, input: Names): Promise<Run> {
	return port.child(namesOf(input)[0] ?? "");
}

function tool<Input>(
	name: string,
	description: string,
	input: z.ZodType<Input>,
	answer: (input: Input) => Promise<unknown>,
): Tool {
	return defineTool({
		name,
		description,
		input,
		effect: () => ({ kind: "none" }),
		subject: () => "",
		execute: async (value) => ({ text: JSON.stringify(await answer(value)), isError: false }),
	});
}

/** Its input is read by the spawn engine itself, which knows every name of every parameter. */
function spawnTool(name: "sessions_spawn" | "spawn_agent", port: SessionPort): Tool {
	return defineTool({
		name,
		description:
			"Starts a subagent in the background and answers at once. Give it its task, and as context what it would otherwise have to find out again: workspace details, the user's wider goal, facts you know. Not its own instructions. Its result comes to you as a message when it is done.",
		input: spawnInput,
		effect: () => ({ kind: "none" }),
		subject: ({ task }) => (typeof task === "string" ? task.slice(0, 60) : ""),
		execute: async (parameters, { callId, ask }) => {
			let answer = await port.spawn(parameters, callId);
			if (answer.isOverBudget && ask) {
				const word = await ask(overBudget(parameters, answer.error ?? ""));
				if (word.isAllowed) answer = await port.spawn(parameters, callId, true);
			}
			return { text: JSON.stringify(answer), isError: !answer.accepted };
		},
	});
}

function overBudget(
	{ agent, task }: { readonly agent?: string | undefined; readonly task: string },
	error: string,
): Ask {
	const subject = `${agent ?? "a subagent of its own kind"} for “${task}”, over the budget`;
	return { effect: { kind: "spawn" }, subject, why: error, offers: [] };
}

/** Loose: the engine refuses what is wrong, with the nearest name. This is what the model is shown. */
const spawnInput = z.looseObject({
	task: z.string().describe("What it is to do, in full sentences."),
	agent: z.string().optional().describe("The agent's name, from the available subagents."),
	context: z.string().optional().describe("Facts for this call that it would otherwise have to find out again."),
	label: z.string().optional().describe("A few words, for lists."),
	taskId: z.string().optional().describe("The id of the step of your todo list that it does; the step moves with it."),
	model: z.string().optional(),
	thinking: z.enum(["low", "medium", "high"]).optional(),
	runTimeoutSeconds: z.number().optional(),
	cleanup: z.enum(["keep", "delete"]).optional(),
	wait: z.union([z.boolean(), z.number()]).optional().describe("Wait so many seconds for the result (true = 60)."),
});

function toRow(run: Run) {
	const { id, sessionKey, state, agentId, hold, queuedAt, startedAt, endedAt, summary, error } = run;
	return {
		runId: id,
		sessionKey,
		state,
		...(hold && { hold }),
		agent: agentId,
		label: titleOf(run),
		queuedAt,
		startedAt,
		endedAt,
		...(isTerminal(state) && { summary, error }),
	};
}

/** Newest first while counting, so that what is left out is the oldest. */
function toMessages(entries: readonly Entry[], { includeTools }: { readonly includeTools: boolean }) {
	const messages: { role: string; text: string; at: number }[] = [];
	let bytes = 0;
	for (const entry of entries.toReversed()) {
		const role = roleOf(entry, includeTools);
		if (role === undefined) continue;
		const text = entry.text.length > mostTextCharacters ? `${entry.text.slice(0, mostTextCharacters)}…` : entry.text;
		bytes += Buffer.byteLength(text) + 60;
		if (bytes > mostHistoryBytes) break;
		messages.unshift({ role, text, at: entry.at });
	}
	return messages;
}

function roleOf({ kind, toolName }: Entry, includeTools: boolean): string | undefined {
	switch (kind) {
		case "user":
			return "user";
		case "text":
			return "assistant";
		case "announcement":
			return "subagent";
		case "notice":
			return "notice";
		case "tool_call":
			return includeTools ? `call ${toolName}` : undefined;
		case "tool_result":
			return includeTools ? `result ${toolName}` : undefined;
		default:
			return undefined;
	}
}
