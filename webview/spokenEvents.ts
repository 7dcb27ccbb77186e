import { type ReadonlySignal, signal } from "@preact/signals";
import type { RunRow } from "../src/protocol/panel.ts";
import { plainText } from "./plainText.ts";
import { runStates } from "./runs/runStates.ts";

/** The least time between two sentences, so that a screen reader can finish one. */
export const speechPauseMs = 3000;

export interface SpeechTimer {
	now(): number;
	after(delayMs: number, run: () => void): void;
}

export interface Sentence {
	readonly text: string;
	/** Grows with each sentence, so that the same words twice are still two sentences. */
	readonly turn: number;
}

/** Turns what happened to runs into sentences for the status region: merged, and never two within the pause. */
export class SpokenEvents {
	readonly #sentence = signal<Sentence>({ text: "", turn: 0 });
	readonly #timer: SpeechTimer;
	/** By run, so that only the latest about each is said. */
	readonly #unsaid = new Map<string, RunRow>();
	#mayAt = 0;

	readonly sentence: ReadonlySignal<Sentence> = this.#sentence;

	constructor(timer: SpeechTimer) {
		this.#timer = timer;
	}

	add(runs: readonly RunRow[]): void {
		if (runs.length === 0) return;
		const isScheduled = this.#unsaid.size > 0;
		for (const run of runs) this.#unsaid.set(run.runId, run);
		if (!isScheduled) this.#timer.after(Math.max(0, this.#mayAt - this.#timer.now()), () => this.#speak());
	}

	#speak(): void {
		this.#mayAt = this.#timer.now() + speechPauseMs;
		this.#sentence.value = { text: sentenceAbout([...this.#unsaid.values()]), turn: this.#sentence.peek().turn + 1 };
		this.#unsaid.clear();
	}
}

function sentenceAbout(runs: readonly RunRow[]): string {
	const [only, ...others] = runs;
	if (only !== undefined && others.length === 0) return `${plainText(only.title, 80)}: ${runStates[only.state].word}`;
	const counts = [
		[runs.filter((run) => runStates[run.state].group === "active").length, "waiting for you"],
		[runs.filter((run) => runStates[run.state].group === "failed").length, "failed"],
		[runs.filter((run) => runStates[run.state].group === "finished").length, "finished"],
	] as const;
	const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
	return `Runs: ${parts.join(", ")}`;
}
