import { knownProviderIds } from "../../core/models/builtinProviders.ts";
import { isLoopback } from "../../core/models/wire/connections.ts";

/** Why a server can't be called so. */
export function findProviderIdProblem(id: string, taken: ReadonlySet<string>): string | undefined {
	if (!/^[a-z0-9][a-z0-9_.-]{0,63}$/u.test(id)) return "Up to 64 lower-case letters, digits, _, . and -.";
	if (knownProviderIds.includes(id) || taken.has(id))
		return `There is a provider “${id}” already. Choose another name.`;
	return undefined;
}

/** Why requests can't go there. */
export function findAddressProblem(address: string): string | undefined {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (!url || !/^https?:$/u.test(url.protocol)) return "Enter an address such as https://host/v1.";
	if (url.username !== "" || url.password !== "")
		return "Without a user name and a password: the key is asked for next.";
	if (url.protocol === "http:" && !isLoopback(url)) return "Use https://: over http:// a key could be read on the way.";
	return undefined;
}
