import type { Secrets } from "../ports/secrets.ts";
import { checkKey } from "./wire/secretText.ts";

/** Whose key is looked for, and where its requests go. */
export interface KeyOwner {
	readonly id: string;
	readonly origin: string;
	/** The variable that may hold the key, where this origin is the one that it is meant for. */
	readonly keyVariable?: string;
	/** Whether the person named the variable: then its key is theirs to be used, else it merely lies there. */
	readonly isVariableNamed: boolean;
}

export interface FoundKey {
	readonly key: string;
	/** `found`: it lies in the environment, and nobody said that Muster may use it unasked. */
	readonly from: "entered" | "named" | "found";
}

export interface KeySources {
	readonly secrets: Secrets;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What was entered comes before the environment. Rejects when the keys cannot be read. */
export async function findKey(owner: KeyOwner, { secrets, environment }: KeySources): Promise<FoundKey | undefined> {
	const { id: providerId, origin, keyVariable, isVariableNamed } = owner;
	const entered = (await secrets.get({ providerId, origin }))?.trim();
	if (entered) return { key: entered, from: "entered" };
	const inherited = keyVariable === undefined ? undefined : environment[keyVariable]?.trim();
	return inherited ? { key: inherited, from: isVariableNamed ? "named" : "found" } : undefined;
}

/** Why this can't be a key, for who enters it. */
export function findKeyProblem(text: string): string | undefined {
	const checked = checkKey(text);
	if (!checked.ok) return "A key has only letters, digits and signs of plain ASCII, without spaces.";
	return checked.key === undefined ? "Enter the key." : undefined;
}
