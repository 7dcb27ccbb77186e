import type { HostClock } from "./hostClock.ts";
import type { RunsStore } from "./runsStore.ts";
import type { SpokenEvents } from "./spokenEvents.ts";

/** What the user can make the host do from here. */
export interface PanelActions {
	spawn(): void;
	stop(runId: string): void;
	openTranscript(runId: string): void;
}

/** Everything the page shows and does, built once by `main` and handed down. */
export interface PanelModel {
	readonly store: RunsStore;
	readonly clock: HostClock;
	readonly events: SpokenEvents;
	readonly actions: PanelActions;
}
