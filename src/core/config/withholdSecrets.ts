import type { PartProblem } from "./configProblem.ts";
import type { Path } from "./positionTree.ts";
import { isCredential, isNamedSecret, isSecretKey } from "./secretPatterns.ts";

export interface WithheldSecrets {
	/** A copy. */
	readonly value: unknown;
	readonly problems: readonly PartProblem[];
}

/** Deep enough for everything that a configuration can say. */
export const deepestConfig = 8;

/**
 * Copies what a file says without what must not be kept: secrets in plain text, wherever they stand; names that would
 * reach into JavaScript's own objects; what is nested without end. Each omission is a problem that names the place and
 * never the value. Paths are those of the value as it is written.
 */
export function withholdSecrets(raw: unknown): WithheldSecrets {
	const problems: PartProblem[] = [];

	function copy(value: unknown, path: Path): unknown {
		if (isSecret(value, path)) {
			problems.push(describeSecret(path));
			return undefined;
		}
		const isNested = Array.isArray(value) || isTable(value);
		if (isNested && path.length >= deepestConfig) {
			problems.push({ severity: "error", code: "config.depth", message: describeDepth, path });
			return undefined;
		}
		// An empty text keeps the place of what was left out, so that the others keep their positions.
		if (Array.isArray(value)) return value.map((item, index) => copy(item, [...path, index]) ?? "");
		return isTable(value) ? copyTable(value, path) : value;
	}

	function copyTable(table: Readonly<Record<string, unknown>>, path: Path): Record<string, unknown> {
		const entries = Object.entries(table).filter(([key]) => {
			if (key !== "__proto__") return true;
			const message = `"__proto__" can't be a name here. Choose another.`;
			problems.push({ severity: "error", code: "config.name", message, path: [...path, key] });
			return false;
		});
		const copies = entries.map(([key, value]) => [key, copy(value, [...path, key])] as const);
		return Object.fromEntries(copies.filter(([, value]) => value !== undefined));
	}

	return { value: copy(raw, []), problems };
}

const describeDepth = `This is nested more than ${deepestConfig} levels deep, and was left out. Nothing here needs that much.`;

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function isSecret(value: unknown, path: Path): boolean {
	if (Array.isArray(value)) return false;
	const key = nameOf(path.at(-1));
	const table = nameOf(path.at(-2)).replaceAll(/[-_]/gu, "").toLowerCase();
	if (typeof value === "number") return isSecretKey(key);
	if (typeof value !== "string" || value === "") return false;
	if (isCredential(value)) return true;
	// These name variables, which is how it should be.
	if (table === "envhttpheaders") return !/^\w+$/u.test(value);
	if (table === "env" || table === "httpheaders" || table === "headers") return isNamedSecret(key, value);
	return isSecretKey(key);
}

function nameOf(step: string | number | undefined): string {
	return typeof step === "string" ? step : "";
}

function describeSecret(path: Path): PartProblem {
	const place = path.map((step) => (typeof step === "number" ? `[${step}]` : step)).join(".");
	return {
		severity: "error",
		code: "config.inlineSecret",
		message: `"${place}" is a secret in plain text, and was not kept. Take it out of the file: put it into an environment variable and ${howToName(path)}, or move it to Secret Storage.`,
		path,
	};
}

function howToName(path: Path): string {
	const steps = path.map(nameOf);
	if (steps.includes("env")) return `name the variable in "env_vars"`;
	if (steps.some((step) => /headers$/iu.test(step))) return `name the variable in "env_http_headers"`;
	if (/^channels$/u.test(steps[0] ?? "")) return `name the variable in "token_env_var"`;
	if (/^model_?providers$/iu.test(steps[0] ?? "")) return `name the variable in "env_key"`;
	return `name the variable in "bearer_token_env_var"`;
}
