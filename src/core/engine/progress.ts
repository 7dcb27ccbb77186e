import type { Disposable } from "../base/disposable.ts";
import type { LoopEvent } from "../loop/agentLoop.ts";
import type { Clock } from "../ports/clock.ts";
import { noUsage, type Usage } from "../runs/run.ts";

/** A run tells no more often how far it is. */
const tellMs = 1_000;

export interface ProgressFacts {
	readonly turn: number;
	/** What it called last in this turn. */
	readonly tool: string | null;
	readonly usage: Usage;
}

/** How far a run is: told when it changes, at most once a second, and then as it is by that time. */
export class Progress implements Disposable {
	readonly #clock: Clock;
	readonly #tell: (facts: ProgressFacts) => void;
	#facts: ProgressFacts = { turn: 0, tool: null, usage: noUsage };
	#toldAt = -Infinity;
	#timer: Disposable | undefined;

	constructor(clock: Clock, tell: (facts: ProgressFacts) => void) {
		this.#clock = clock;
		this.#tell = tell;
	}

	note(event: LoopEvent): void {
		const { turn } = event;
		if (event.type === "tool-called") this.#facts = { ...this.#facts, turn, tool: event.call.toolName };
		else if (event.type === "turn-ended") this.#facts = { turn, tool: null, usage: event.usage };
		else return;
		const dueAt = this.#toldAt + tellMs;
		if (this.#clock.now() >= dueAt) this.#say();
		else this.#timer ??= this.#clock.after(dueAt - this.#clock.now(), () => this.#say());
	}

	/** What has not been told by now is told with the end of the run. */
	dispose(): void {
		this.#timer?.dispose();
		this.#timer = undefined;
	}

	#say(): void {
		this.dispose();
		this.#toldAt = this.#clock.now();
		this.#tell(this.#facts);
	}
}
