/** Something a person can do about a problem; surfaces turn each into a button or a quick fix. */
export type Remedy =
	| { readonly kind: "openFile"; readonly path: string; readonly line?: number }
	| { readonly kind: "openSetting"; readonly setting: string }
	| { readonly kind: "runCommand"; readonly command: string; readonly title: string }
	/** The value at `path` in the file is a secret in plain text. */
	| { readonly kind: "moveToSecretStorage"; readonly file: string; readonly path: readonly (string | number)[] };

/** An expected failure that a person should read: what happened, where, and what to do. */
export interface Problem {
	/** Stable, e.g. `agent.notFound`. Code decides on this, never on the message. */
	readonly code: string;
	readonly message: string;
	readonly remedies?: readonly Remedy[];
}

/** Carries a problem through code that cannot return it. Reported once, at the edge. */
export class ProblemError extends Error {
	readonly problem: Problem;

	constructor(problem: Problem, options?: ErrorOptions) {
		super(problem.message, options);
		this.name = "ProblemError";
		this.problem = problem;
	}
}

/** A state that the code promises never to reach. */
export class BugError extends Error {
	constructor(message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = "BugError";
	}
}

/** Makes a `switch` exhaustive: adding a case to the union breaks the build here. */
export function unreachable(value: never): never {
	throw new BugError(`Unexpected value: ${JSON.stringify(value)}`);
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
