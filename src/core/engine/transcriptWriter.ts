import type { Disposable } from "../base/disposable.ts";
import type { Clock } from "../ports/clock.ts";
import type { EntryKind, NewEntry } from "../sessions/entry.ts";
import type { Database } from "../store/database.ts";

/** What has just been put into the transcript, or the turn whose text was taken back. */
export type Written = NewEntry | { readonly kind: "withdrawn"; readonly turn: number; readonly at: number };

/** How far streamed text may lag behind what the model has said. */
const flushMs = 100;

/**
 * Writes one run's transcript in order: streamed text gathers and goes down in one entry per flush; everything else goes
 * down at once, after the text before it.
 */
export class TranscriptWriter {
	readonly #database: Database;
	readonly #clock: Clock;
	readonly #run: { readonly id: string; readonly sessionId: string };
	readonly #onWritten: ((written: Written) => void) | undefined;
	#pending: { kind: "text" | "reasoning"; turn: number; text: string; at: number } | undefined;
	#timer: Disposable | undefined;
	#lastWrite: Promise<void> = Promise.resolve();
	#failure: unknown;

	/** `onWritten` hears of everything in order, when it is on disk. */
	constructor(
		database: Database,
		clock: Clock,
		run: { readonly id: string; readonly sessionId: string },
		onWritten?: (written: Written) => void,
	) {
		this.#database = database;
		this.#clock = clock;
		this.#run = run;
		this.#onWritten = onWritten;
	}

	stream(kind: "text" | "reasoning", turn: number, delta: string): void {
		if (this.#pending && (this.#pending.kind !== kind || this.#pending.turn !== turn)) this.#flush();
		if (this.#pending) this.#pending.text += delta;
		else this.#pending = { kind, turn, text: delta, at: this.#clock.now() };
		this.#timer ??= this.#clock.after(flushMs, () => this.#flush());
	}

	/** Resolves when it is on disk, with everything before it. Rejects when it could not be written. */
	append(
		kind: EntryKind,
		turn: number,
		text: string,
		tool?: { name: string; callId: string; isError: boolean },
	): Promise<void> {
		this.#flush();
		this.#write(newEntry(kind, turn, text, this.#clock.now(), tool));
		return this.#settled();
	}

	/** Takes back what was streamed of a turn that is asked for again. */
	async withdraw(turn: number): Promise<void> {
		await this.flush();
		await this.#database.call("withdrawTurn", { runId: this.#run.id, turn });
		this.#onWritten?.({ kind: "withdrawn", turn, at: this.#clock.now() });
	}

	/** Resolves when everything until now is on disk. */
	flush(): Promise<void> {
		this.#flush();
		return this.#settled();
	}

	/** Resolves when everything is on disk; rejects when some of it could not be written. */
	close(): Promise<void> {
		return this.flush();
	}

	async #settled(): Promise<void> {
		await this.#lastWrite;
		if (this.#failure) throw this.#failure;
	}

	#flush(): void {
		this.#timer?.dispose();
		this.#timer = undefined;
		if (!this.#pending) return;
		const { kind, turn, text, at } = this.#pending;
		this.#pending = undefined;
		this.#write(newEntry(kind, turn, text, at));
	}

	#write(entry: NewEntry): void {
		const { id: runId, sessionId } = this.#run;
		const write = this.#database.call("appendToLiveRun", { runId, sessionId, entries: [entry] });
		const told = write.then((isWritten) => (isWritten ? this.#onWritten?.(entry) : undefined));
		// Kept for close(): a transcript with a hole must not look like a success.
		this.#lastWrite = told.catch((error: unknown) => void (this.#failure ??= error));
	}
}

function newEntry(
	kind: EntryKind,
	turn: number,
	text: string,
	at: number,
	tool?: { name: string; callId: string; isError: boolean },
): NewEntry {
	return {
		kind,
		turn,
		text,
		at,
		toolName: tool?.name ?? null,
		toolCallId: tool?.callId ?? null,
		isError: tool?.isError ?? false,
	};
}
