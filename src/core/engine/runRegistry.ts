import type { Disposable } from "../base/disposable.ts";
import { Emitter, type Event } from "../base/event.ts";
import type { Work } from "../runs/budget.ts";
import type { Run, Usage } from "../runs/run.ts";
import { isTerminal } from "../runs/runState.ts";
import type { RunList } from "../store/runRows.ts";
import type { StreamEvent } from "./streamEvent.ts";

/** A run as people see it: the record, and what only its own process knows while it executes. */
export interface RunView extends Run {
	/** What it is doing now, e.g. `read_file src/cart.ts`. */
	readonly activity: string | null;
	/** When the model is asked once more, and why it has to be. */
	readonly nextTry?: NextTry | null;
	/** 1-based place in its lane while it is queued. */
	readonly queuePosition: number | null;
}

interface NextTry {
	readonly at: number;
	readonly reason: string;
}

interface LiveFacts {
	readonly activity?: string | null;
	readonly nextTry?: NextTry;
	readonly usage?: Usage;
	readonly work?: Work;
}

/** The runs that surfaces show, in memory. Follows the store and never leads it: a record enters when it is committed. */
export class RunRegistry implements Disposable {
	readonly #runs = new Map<string, Run>();
	readonly #live = new Map<string, LiveFacts>();
	readonly #changed: Emitter<ReadonlySet<string>>;
	readonly #streamed: Emitter<StreamEvent>;

	/** Carries the ids of the runs that changed. */
	readonly onDidChange: Event<ReadonlySet<string>>;
	/** What runs of this process that are to `deliver` say and do, as it goes on. */
	readonly onDidStream: Event<StreamEvent>;

	constructor(onListenerError: (error: unknown) => void) {
		this.#changed = new Emitter(onListenerError);
		this.onDidChange = this.#changed.event;
		this.#streamed = new Emitter(onListenerError);
		this.onDidStream = this.#streamed.event;
	}

	/** Newest first. */
	list(): RunView[] {
		const runs = [...this.#runs.values()].toSorted((a, b) => b.queuedAt - a.queuedAt);
		const positions = this.#queuePositions();
		return runs.map((run) => this.#view(run, positions));
	}

	get(runId: string): RunView | undefined {
		const run = this.#runs.get(runId);
		return run && this.#view(run, this.#queuePositions());
	}

	/** Takes over records as they are now in the store. */
	put(runs: readonly Run[]): void {
		for (const run of runs) this.#take(run);
		if (runs.length > 0) this.#changed.fire(new Set(runs.map((run) => run.id)));
	}

	/** Takes over the whole list as it was in the store: what is not in it any more goes, unless it is newer. */
	replace({ runs, revision }: RunList): void {
		const ids = new Set(runs.map(({ id }) => id));
		const old = [...this.#runs.values()].filter((run) => !ids.has(run.id) && run.revision <= revision);
		const gone = old.map(({ id }) => id);
		for (const id of gone) this.#runs.delete(id);
		const changed = runs.filter((run) => JSON.stringify(this.#runs.get(run.id)) !== JSON.stringify(run));
		for (const run of changed) this.#take(run);
		if (changed.length + gone.length > 0) this.#changed.fire(new Set([...changed.map(({ id }) => id), ...gone]));
	}

	/** Notes what a run of this process is doing. Not stored. */
	note(runId: string, facts: LiveFacts): void {
		const before = this.#live.get(runId) ?? {};
		// Whatever it does next, it does not wait for another try any more.
		const { nextTry: _, ...rest } = before;
		const after = { ...("activity" in facts ? rest : before), ...facts };
		if ((before.activity ?? null) === (after.activity ?? null) && before.usage === after.usage) return;
		this.#live.set(runId, after);
		this.#changed.fire(new Set([runId]));
	}

	stream(event: StreamEvent): void {
		this.#streamed.fire(event);
	}

	dispose(): void {
		this.#changed.dispose();
		this.#streamed.dispose();
	}

	/** Answers of the store can be overtaken on their way here: what is older than what is known changes nothing. */
	#take(run: Run): void {
		const known = this.#runs.get(run.id);
		if (known && run.revision < known.revision) return;
		if (run.archivedAt === null) this.#runs.set(run.id, run);
		else this.#runs.delete(run.id);
		if (isTerminal(run.state)) this.#live.delete(run.id);
	}

	#view(run: Run, positions: ReadonlyMap<string, number>): RunView {
		const live = this.#live.get(run.id);
		return {
			...run,
			usage: live?.usage ?? run.usage,
			work: live?.work ?? run.work,
			activity: live?.activity ?? null,
			nextTry: live?.nextTry ?? null,
			queuePosition: positions.get(run.id) ?? null,
		};
	}

	#queuePositions(): Map<string, number> {
		const positions = new Map<string, number>();
		const lengths = new Map<string, number>();
		const queued = [...this.#runs.values()].filter((run) => run.state === "queued" && run.hold === null);
		for (const run of queued.toSorted((a, b) => b.priority - a.priority || a.place - b.place)) {
			const position = (lengths.get(run.lane) ?? 0) + 1;
			lengths.set(run.lane, position);
			positions.set(run.id, position);
		}
		return positions;
	}
}
