import type { SecretPlace, Secrets } from "../../src/core/ports/secrets.ts";

const nameOf = ({ providerId, origin, agentId }: SecretPlace) =>
	[providerId, origin, ...(agentId === undefined ? [] : [agentId])].join(" ");

/** Keeps keys in memory, under the provider and the origin. */
export class MemorySecrets implements Secrets {
	readonly kept = new Map<string, string>();

	async get(place: SecretPlace): Promise<string | undefined> {
		return this.kept.get(nameOf(place));
	}

	async set(place: SecretPlace, key: string): Promise<void> {
		this.kept.set(nameOf(place), key);
	}

	async delete(place: SecretPlace): Promise<void> {
		this.kept.delete(nameOf(place));
	}
}
