/** Whose key it is. A provider that moves to another origin does not take its key along. */
export interface SecretPlace {
	readonly providerId: string;
	/** As `URL.origin` gives it; of what has no address, that which it is bound to in its stead. */
	readonly origin: string;
	/** Of one static agent alone; else the user's. */
	readonly agentId?: string;
}

/** Keys that a person has entered or moved out of a file, in safe keeping. Every method may reject; the reason may hold the secret. */
export interface Secrets {
	get(place: SecretPlace): Promise<string | undefined>;
	set(place: SecretPlace, key: string): Promise<void>;
	delete(place: SecretPlace): Promise<void>;
}

/** Where nothing can be entered, as on the command line: keys come from the environment alone. */
export const noSecrets: Secrets = {
	get: () => Promise.resolve(undefined),
	set: () => Promise.resolve(),
	delete: () => Promise.resolve(),
};
