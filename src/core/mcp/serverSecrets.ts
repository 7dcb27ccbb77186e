import { hashBytes } from "../base/hashBytes.ts";
import type { McpServerFields } from "../config/mcpServerFields.ts";
import type { ResolvedConfig } from "../config/resolveConfig.ts";
import type { SecretPlace, Secrets } from "../ports/secrets.ts";

/** A server as far as it decides which secrets are its own. */
export interface SecretHolder {
	readonly name: string;
	/** The file that says where the server is: one of the same name in another file is another. */
	readonly file: string;
	readonly fields: McpServerFields;
}

/**
 * Where a server's secret is kept. It is bound to the file that names the variable, and to where it goes: an address's
 * origin, or the very command. Whoever changes one of them does not take the secret along.
 */
export function serverSecretPlace({ name, file, fields }: SecretHolder, variable: string): SecretPlace {
	const { command, args, cwd, url } = fields;
	const program = () => `program:${hashBytes(Buffer.from(JSON.stringify([command, args, cwd])))}`;
	const origin = url !== undefined && URL.canParse(url) ? new URL(url).origin : program();
	return { providerId: `mcp:${JSON.stringify([file, name, variable])}`, origin };
}

/** The variables that a server's configuration names, each once. */
function namedVariables({ bearerTokenEnvVar, envHttpHeaders = {}, envVars = [] }: McpServerFields): readonly string[] {
	const passed = envVars.map((each) => (typeof each === "string" ? each : each.name));
	const bearer = bearerTokenEnvVar === undefined ? [] : [bearerTokenEnvVar];
	return [...new Set([...bearer, ...Object.values(envHttpHeaders), ...passed])];
}

/** What is kept for a server, by the variable that it stands for: there, it comes before the environment's. */
export async function readServerSecrets(
	holder: SecretHolder,
	secrets: Secrets,
): Promise<Readonly<Record<string, string>>> {
	const found = await Promise.all(
		namedVariables(holder.fields).map(async (variable) => {
			// The reason could hold the secret; without one, the server says that its variable is empty.
			const secret = await secrets.get(serverSecretPlace(holder, variable)).catch(() => undefined);
			return [variable, secret?.trim() ?? ""] as const;
		}),
	);
	return Object.fromEntries(found.filter(([, secret]) => secret !== ""));
}

/** By server, the variables for which something is kept. */
export async function findKeptVariables(
	config: ResolvedConfig,
	secrets: Secrets,
): Promise<ReadonlyMap<string, readonly string[]>> {
	const all = Array.from(config.mcpServers, async ([name, { value: fields, provenance }]) => {
		const { file } = provenance;
		const kept = file === undefined ? {} : await readServerSecrets({ name, file, fields }, secrets);
		return [name, Object.keys(kept)] as const;
	});
	return new Map(await Promise.all(all));
}
