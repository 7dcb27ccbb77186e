import { createHash } from "node:crypto";
import { connectionFields, type McpServerFields, serverType } from "../config/mcpServerFields.ts";

/**
 * Identifies what a person agrees to: how the server is reached, with what, and which tools it offers. Two texts that mean
 * the same have the same hash; timers, and whether it is on, are not part of it.
 *
 * Leaves to whoever starts the server to bind what is outside of the configuration: which file a command resolves to, and
 * what is in a script of the folder.
 */
export function hashMcpServer(server: McpServerFields): string {
	const { url } = server;
	const consented = {
		...Object.fromEntries(connectionFields.map((field) => [field, server[field]])),
		type: serverType(server),
		url: url !== undefined && URL.canParse(url) ? new URL(url).href : url,
		enabledTools: sorted(server.enabledTools),
		disabledTools: sorted(server.disabledTools),
	};
	return createHash("sha256").update(canonicalJson(consented)).digest("hex");
}

/** The order of tools means nothing. */
function sorted(names: readonly string[] | undefined): readonly string[] | undefined {
	return names && [...new Set(names)].toSorted();
}

/** JSON with its keys in order, so that equal values are equal texts. */
function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) => {
		if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
		return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)));
	});
}
