import type { Path } from "./positionTree.ts";
import { isSecretKey } from "./secretPatterns.ts";

/** What a secret in a configuration is for, where it can be given to just that from elsewhere. */
export type SecretOwner =
	| { readonly kind: "bearer"; readonly server: string }
	| { readonly kind: "variable"; readonly server: string; readonly name: string }
	| { readonly kind: "header"; readonly server: string; readonly name: string }
	| { readonly kind: "provider"; readonly provider: string }
	| { readonly kind: "account"; readonly channel: string; readonly account: string };

/**
 * Whose secret stands at a path, in its author's spelling. Undefined for what has no way to it but the text, such as a
 * secret in an argument or an address.
 */
export function findSecretOwner(path: Path): SecretOwner | undefined {
	const steps = path.map(String);
	const [table = "", owner = ""] = steps;
	const [last = "", within = ""] = steps.toReversed();
	switch (fold(table.replace(/^muster\./u, ""))) {
		case "mcpservers":
		case "servers":
			return findServerOwner(owner, steps.length, within, last);
		case "modelproviders": {
			const isKey = steps.length === 3 && isSecretKey(last);
			const isHeader = steps.length === 4 && isHeaders(within) && fold(last) === "authorization";
			return isKey || isHeader ? { kind: "provider", provider: owner } : undefined;
		}
		case "channels": {
			const [, channel = "", accounts = "", account = ""] = steps;
			const isToken = steps.length === 5 && accounts === "accounts" && isSecretKey(last);
			return isToken ? { kind: "account", channel, account } : undefined;
		}
		default:
			return undefined;
	}
}

function findServerOwner(server: string, length: number, within: string, last: string): SecretOwner | undefined {
	if (length === 3 && fold(last).endsWith("bearertoken")) return { kind: "bearer", server };
	if (length === 4 && within === "env") return { kind: "variable", server, name: last };
	return length === 4 && isHeaders(within) ? { kind: "header", server, name: last } : undefined;
}

function isHeaders(key: string): boolean {
	return /^(?:http)?headers$/u.test(fold(key));
}

/** All spellings of a key in one. */
export function fold(key: string): string {
	return key.replaceAll(/[-_]/gu, "").toLowerCase();
}
