import { ProblemError } from "../core/base/errors.ts";
import type { Entry } from "../core/sessions/entry.ts";
import { findSession } from "./findSession.ts";
import { readStore, type Store } from "./openStore.ts";
import { printable } from "./printable.ts";
import { readCall } from "./storeOptions.ts";

const pageEntries = 500;
const soughtRuns = 10_000;

interface Message {
	readonly role: "user" | "assistant" | "subagent" | "notice";
	readonly text: string;
	readonly at: number;
	/** Whose words these are. */
	readonly source: "user" | "agent" | "subagent" | "muster";
	/** With what a subagent announced: which one. */
	readonly runId?: string;
}

/** `muster history <session>`: what was said in it, oldest first. Tools are left out; a transcript has them. */
export async function historyVerb(args: readonly string[]): Promise<number> {
	const { place, isJson, words } = readCall(args, { options: {}, words: ["session"] });
	const [word = ""] = words;
	const messages = toMessages(
		await readStore(
			place,
			(store) => readSession(store, word),
			() => {
				const message = `There is no session ${word} in this workspace.`;
				throw new ProblemError({ code: "session.notFound", message });
			},
		),
	);
	if (isJson) process.stdout.write(`${JSON.stringify({ messages })}\n`);
	else for (const { role, text, at } of messages) process.stdout.write(printable(`${toHead(role, at)}\n${text}\n\n`));
	return 0;
}

function toHead(role: string, at: number): string {
	return `── ${role}, ${new Date(at).toISOString()}`;
}

async function readSession({ database, control, transcripts }: Store, word: string): Promise<Entry[]> {
	const runs = await database.call("listRuns", { limit: soughtRuns, withArchived: true });
	const { id } = await findSession(control, runs, word);
	const entries: Entry[] = [];
	for (;;) {
		const page = await transcripts.read({ sessionId: id }, entries.at(-1)?.seq ?? 0, pageEntries);
		entries.push(...page);
		if (page.length < pageEntries) return entries;
	}
}

/** Streamed text comes in pieces: all of one turn is one message. */
function toMessages(entries: readonly Entry[]): Message[] {
	const messages: Message[] = [];
	let lastTurn = "";
	for (const entry of entries) {
		const message = toMessage(entry);
		if (!message) continue;
		const turn = entry.kind === "text" ? `${entry.runId}:${entry.turn}` : "";
		const last = messages.at(-1);
		if (last && turn !== "" && turn === lastTurn)
			messages[messages.length - 1] = { ...last, text: last.text + entry.text };
		else messages.push(message);
		lastTurn = turn;
	}
	return messages;
}

function toMessage({ kind, text, at, runId }: Entry): Message | undefined {
	switch (kind) {
		case "user":
			return { role: "user", text, at, source: "user" };
		case "text":
			return { role: "assistant", text, at, source: "agent" };
		case "announcement":
			return { role: "subagent", text, at, source: "subagent", ...(runId !== null && { runId }) };
		case "notice":
			return { role: "notice", text, at, source: "muster" };
		case "reasoning":
		case "tool_call":
		case "tool_result":
		case "replay":
			return undefined;
	}
}
