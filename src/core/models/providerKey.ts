import type { Secrets } from "../ports/secrets.ts";
import { type KeyChain, usersKeys } from "./keyChain.ts";
import { checkKey } from "./wire/secretText.ts";

/** Whose key is looked for, and where its requests go. */
export interface KeyOwner {
	readonly id: string;
	readonly origin: string;
	/** The variable that may hold the key, where this origin is the one that it is meant for. */
	readonly keyVariable?: string;
	/** Looked at where that one is empty. */
	readonly otherVariables?: readonly string[];
	/** Whether the person named the variable: then its key is theirs to be used, else it merely lies there. */
	readonly isVariableNamed: boolean;
}

export interface FoundKey {
	readonly key: string;
	/** `found`: it lies in the environment, and nobody said that Muster may use it unasked. */
	readonly from: "entered" | "named" | "found";
	/** Where it is, if it is in the environment. */
	readonly variable?: string;
}

export interface KeySources {
	readonly secrets: Secrets;
	/** Whose keys may be used. Default: the user's. */
	readonly chain?: KeyChain;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What was entered comes before the environment. Rejects when the keys cannot be read. */
export async function findKey(
	owner: KeyOwner,
	{ secrets, environment, chain = usersKeys }: KeySources,
): Promise<FoundKey | undefined> {
	const { id: providerId, origin, keyVariable, otherVariables = [], isVariableNamed } = owner;
	for (const agentId of chain.agents) {
		const own = (await secrets.get({ providerId, origin, agentId }))?.trim();
		if (own) return { key: own, from: "entered" };
	}
	if (!chain.isShared) return undefined;
	const entered = (await secrets.get({ providerId, origin }))?.trim();
	if (entered) return { key: entered, from: "entered" };
	for (const variable of keyVariable === undefined ? [] : [keyVariable, ...otherVariables]) {
		const key = environment[variable]?.trim();
		if (key) return { key, from: isVariableNamed ? "named" : "found", variable };
	}
	return undefined;
}

/** Why this can't be a key, for who enters it. */
export function findKeyProblem(text: string): string | undefined {
	const checked = checkKey(text);
	if (!checked.ok) return "A key has only letters, digits and signs of plain ASCII, without spaces.";
	return checked.key === undefined ? "Enter the key." : undefined;
}
