import { composeAnnouncement } from "../core/announce/announcement.ts";
import { titleOf, type Run } from "../core/runs/run.ts";
import type { RunEvent } from "../core/runs/runEvent.ts";
import type { Entry } from "../core/sessions/entry.ts";
import { describeToolCall } from "../core/tools/describeToolCall.ts";
import { shorten } from "../core/tools/shorten.ts";
import type { Follower } from "./followRuns.ts";
import { printable } from "./printable.ts";

const shownResult = 200;

/** What happens to runs as a person reads it while it happens. */
export class RunLog implements Follower {
	readonly #write: (text: string) => void;
	/** The run whose text stands on a line that is not full yet. */
	#speaker: string | null = null;
	#isLineOpen = false;

	constructor(write: (text: string) => void) {
		this.#write = write;
	}

	onEvent(event: RunEvent, run: Run): void {
		const text = describeEvent(event, run);
		if (text !== null) this.#line(text);
	}

	onEntry(entry: Entry, run: Run): void {
		switch (entry.kind) {
			case "text":
				return this.#stream(entry.text, run);
			case "tool_call":
				return this.#line(`  → ${describeCall(entry)}`);
			case "tool_result":
				if (entry.isError) this.#line(`  ✗ ${shorten(entry.text.replaceAll(/\s+/gu, " "), shownResult)}`);
				return;
			case "notice":
				return this.#line(`  ${entry.text}`);
			case "user":
			case "reasoning":
			case "announcement":
			case "replay":
				return;
		}
	}

	#stream(text: string, run: Run): void {
		if (this.#speaker !== run.id) this.#closeLine();
		this.#speaker = run.id;
		this.#write(printable(text));
		this.#isLineOpen = !text.endsWith("\n");
	}

	#line(text: string): void {
		this.#closeLine();
		this.#speaker = null;
		this.#write(`${printable(text)}\n`);
	}

	#closeLine(): void {
		if (this.#isLineOpen) this.#write("\n");
		this.#isLineOpen = false;
	}
}

function describeCall({ toolName, toolCallId, text }: Entry): string {
	const call = { toolName: toolName ?? "", toolCallId: toolCallId ?? "" };
	try {
		return describeToolCall({ ...call, input: JSON.parse(text) as unknown }, []);
	} catch {
		// The model's input was no JSON; its name is all there is to say.
		return call.toolName;
	}
}

function describeEvent(event: RunEvent, run: Run): string | null {
	const name = `● ${run.id} ${run.agentId}`;
	switch (event.type) {
		case "subagent.spawned":
			return null;
		case "subagent.queued":
			return `${name}: queued (${event.queuePosition}. in its lane): ${titleOf(run)}`;
		case "subagent.started":
			return `${name}: running on ${event.model}`;
		case "subagent.waiting":
			return `${name}: waits for ${event.reason === "approval" ? "an answer" : "its subagents"}`;
		case "subagent.resumed":
			return `${name}: running again`;
		case "subagent.paused":
			return `${name}: paused`;
		case "subagent.ended":
			return `${name}: ended ${event.state}`;
		case "subagent.announced":
			return `\n${composeAnnouncement(run)}`;
		case "subagent.removed":
			return `${name}: removed`;
		case "subagent.progressed":
		case "subagent.failed":
			return null;
	}
}
