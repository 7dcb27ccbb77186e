import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import type { HostToPanel, RunRow } from "../src/protocol/panel.ts";
import type { PanelState } from "./panelState.ts";
import { compareRuns } from "./runs/compareRuns.ts";
import { everyRun, matchesGroup, matchesText, type RunFilter, runGroups } from "./runs/runFilter.ts";
import { isLive } from "./runs/runStates.ts";

export type Applied =
	/** `news` are the runs that ended or began to wait for the user with this message. */
	| { readonly kind: "applied"; readonly news: readonly RunRow[] }
	| { readonly kind: "late" }
	/** Something was missed: ask for a snapshot. Said once; until the snapshot comes, patches are late. */
	| { readonly kind: "gap" };

/**
 * The runs as the host last told them, and how the user looks at them.
 * Holds no truth of its own: it sends nothing, and a snapshot replaces everything the host owns.
 */
export class RunsStore {
	readonly #runs = signal<ReadonlyMap<string, RunRow>>(new Map());
	#revision: number | null = null;

	readonly notice = signal<string | null>(null);
	readonly filter = signal<RunFilter>(everyRun);
	readonly selectedId = signal<string | null>(null);
	/** The run whose row asks "Stop this run?". */
	readonly questionedId = signal<string | null>(null);
	/** Told to stop, and not yet seen to have ended. */
	readonly stoppingIds = signal<ReadonlySet<string>>(new Set());

	readonly total = computed(() => this.#runs.value.size);
	readonly liveCount = computed(() => [...this.#runs.value.values()].filter(isLive).length);
	readonly hasLive: ReadonlySignal<boolean> = computed(() => this.liveCount.value > 0);
	readonly #matching = computed(() =>
		[...this.#runs.value.values()].filter((run) => matchesText(run, this.filter.value.text)),
	);
	/** What each group would show with the text as it is. */
	readonly counts = computed(() =>
		runGroups.map((group) => ({
			group,
			count: this.#matching.value.filter((run) => matchesGroup(run, group)).length,
		})),
	);
	readonly listed: ReadonlySignal<readonly RunRow[]> = computed(() =>
		this.#matching.value.filter((run) => matchesGroup(run, this.filter.value.group)).toSorted(compareRuns),
	);

	constructor(state: PanelState) {
		this.filter.value = state.filter;
		this.selectedId.value = state.selectedRunId;
	}

	apply(message: HostToPanel): Applied {
		const expected = this.#revision === null ? null : this.#revision + 1;
		if (message.type === "snapshot") {
			if (expected !== null && message.revision < expected) return { kind: "late" };
			this.#revision = message.revision;
			batch(() => this.#replaceAll(message.runs, message.notice));
			return { kind: "applied", news: [] };
		}
		if (expected === null || message.revision < expected) return { kind: "late" };
		if (message.revision > expected) {
			this.#revision = null;
			return { kind: "gap" };
		}
		this.#revision = message.revision;
		return { kind: "applied", news: batch(() => this.#patch(message.upsert, message.remove)) };
	}

	/** Opens the question on a run's row; a run that cannot be stopped has none. */
	askToStop(runId: string): void {
		const run = this.#runs.peek().get(runId);
		if (run === undefined || !isLive(run) || this.stoppingIds.peek().has(runId)) return;
		batch(() => {
			this.selectedId.value = runId;
			this.questionedId.value = runId;
		});
	}

	/** Closes the question with "Stop". The run keeps its state until the host reports another. */
	stopAnswered(runId: string): void {
		batch(() => {
			this.questionedId.value = null;
			this.stoppingIds.value = new Set([...this.stoppingIds.peek(), runId]);
		});
	}

	keepAnswered(): void {
		this.questionedId.value = null;
	}

	#replaceAll(runs: readonly RunRow[], notice: string | null): void {
		this.notice.value = notice;
		this.#runs.value = new Map(runs.map((run) => [run.runId, run]));
		this.stoppingIds.value = new Set();
		this.#dropStaleQuestion();
	}

	#patch(upsert: readonly RunRow[], remove: readonly string[]): readonly RunRow[] {
		const runs = new Map(this.#runs.peek());
		const news = upsert.filter((run) => isNews(run, runs.get(run.runId)));
		for (const run of upsert) runs.set(run.runId, run);
		for (const runId of remove) runs.delete(runId);
		this.#runs.value = runs;
		const stopping = [...this.stoppingIds.peek()].filter((runId) => this.#isLive(runId));
		if (stopping.length < this.stoppingIds.peek().size) this.stoppingIds.value = new Set(stopping);
		this.#dropStaleQuestion();
		return news;
	}

	/** A run that ended by itself meanwhile has nothing left to ask. */
	#dropStaleQuestion(): void {
		const questionedId = this.questionedId.peek();
		if (questionedId !== null && !this.#isLive(questionedId)) this.questionedId.value = null;
	}

	#isLive(runId: string): boolean {
		const run = this.#runs.peek().get(runId);
		return run !== undefined && isLive(run);
	}
}

function isNews(run: RunRow, before: RunRow | undefined): boolean {
	return run.state !== before?.state && (!isLive(run) || run.state === "waiting_approval");
}
