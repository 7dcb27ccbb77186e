import { once } from "node:events";
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
	await readStore(
		place,
		(store) => print(toMessages(readSession(store, word)), isJson),
		() => {
			const message = `There is no session ${word} in this workspace.`;
			throw new ProblemError({ code: "session.notFound", message });
		},
	);
	return 0;
}

/** Message by message: a session can be larger than what one would hold at once. */
async function print(messages: AsyncIterable<Message>, isJson: boolean): Promise<void> {
	let separator = '{"messages":[';
	for await (const message of messages) {
		const { role, text, at } = message;
		await write(isJson ? separator + JSON.stringify(message) : printable(`${toHead(role, at)}\n${text}\n\n`));
		separator = ",";
	}
	if (isJson) await write(separator === "," ? "]}\n" : `${separator}]}\n`);
}

/** Resolves when there is room for more. */
async function write(text: string): Promise<void> {
	if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

function toHead(role: string, at: number): string {
	return `── ${role}, ${new Date(at).toISOString()}`;
}

async function* readSession({ database, control, transcripts }: Store, word: string): AsyncIterable<Entry> {
	const runs = await database.call("listRuns", { limit: soughtRuns, withArchived: true });
	const { id } = await findSession(control, runs, word);
	for (let after = 0; ;) {
		const page = await transcripts.read({ sessionId: id }, after, pageEntries);
		yield* page;
		if (page.length < pageEntries) return;
		after = page.at(-1)?.seq ?? after;
	}
}

/** Streamed text comes in pieces: all of one turn is one message. */
async function* toMessages(entries: AsyncIterable<Entry>): AsyncIterable<Message> {
	let last: Message | undefined;
	let lastTurn = "";
	for await (const entry of entries) {
		const message = toMessage(entry);
		if (!message) continue;
		const turn = entry.kind === "text" ? `${entry.runId}:${entry.turn}` : "";
		if (last && turn !== "" && turn === lastTurn) last = { ...last, text: last.text + entry.text };
		else {
			if (last) yield last;
			last = message;
		}
		lastTurn = turn;
	}
	if (last) yield last;
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
