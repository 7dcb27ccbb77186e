/** How a stage ended: how many tests passed, and by name which failed and which did not run. */
export interface Outcome {
	readonly passed: number;
	readonly failed: readonly string[];
	readonly skipped: readonly string[];
}

export const onePassed: Outcome = { passed: 1, failed: [], skipped: [] };

export function oneFailed(name: string): Outcome {
	return { passed: 0, failed: [name], skipped: [] };
}

export function sum(outcomes: readonly Outcome[]): Outcome {
	return {
		passed: outcomes.reduce((total, { passed }) => total + passed, 0),
		failed: outcomes.flatMap(({ failed }) => failed),
		skipped: outcomes.flatMap(({ skipped }) => skipped),
	};
}

/** `3 passed, 1 failed`, and what was skipped if anything was. */
export function count({ passed, failed, skipped }: Outcome): string {
	const some = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
	return `${passed} passed, ${failed.length} failed${some}`;
}
