export interface PlannedChange {
	/** The call that makes it. */
	readonly callId: string;
	/** The real path. */
	readonly path: string;
	/** The content before; null when there is no file yet. */
	readonly preImage: Uint8Array | null;
	readonly baseHash: string | null;
	readonly intendedHash: string;
}

export interface ChangeOutcome {
	readonly callId: string;
	readonly path: string;
	readonly outcome: "written" | "notWritten";
}

/** Remembers what a run does to files, so that it can be shown and taken back, also after a crash in between. */
export interface ChangeRecorder {
	/** Resolves when the plan is safely stored; the file is touched only then. Rejecting keeps the file as it is. */
	planned(change: PlannedChange): Promise<void>;
	done(change: ChangeOutcome): Promise<void>;
}

/** Remembers nothing: for tests, and until there is a store behind it. */
export const unrecordedChanges: ChangeRecorder = {
	planned: () => Promise.resolve(),
	done: () => Promise.resolve(),
};
