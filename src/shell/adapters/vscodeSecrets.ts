import type * as vscode from "vscode";
import type { SecretPlace, Secrets } from "../../core/ports/secrets.ts";

/** Keys in VS Code's Secret Storage. The origin is in the name, so that a changed base URL does not find the key. */
export function createVscodeSecrets(storage: Pick<vscode.SecretStorage, "get" | "store" | "delete">): Secrets {
	return {
		get: async (place) => storage.get(nameOf(place)),
		set: async (place, key) => storage.store(nameOf(place), key),
		delete: async (place) => storage.delete(nameOf(place)),
	};
}

function nameOf({ providerId, origin, agentId }: SecretPlace): string {
	return `muster.key:${JSON.stringify([providerId, origin, ...(agentId === undefined ? [] : [agentId])])}`;
}
