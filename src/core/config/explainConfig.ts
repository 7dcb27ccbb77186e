import { StaticAgent } from "./agentsFields.ts";
import { snakeCase, toWrittenKeys } from "./canonicalKeys.ts";
import type { ConfigLayers } from "./configLayers.ts";
import type { ConfigProblem } from "./configProblem.ts";
import { Binding, ModelProvider } from "./configSchema.ts";
import { McpServerFields, serverType } from "./mcpServerFields.ts";
import type { Provenance, Resolved, Skipped, Source } from "./provenance.ts";
import type { ResolvedConfig } from "./resolveConfig.ts";

/** An agent or a skill, as whoever discovered it describes it. */
export interface FoundItem {
	readonly kind: "agent" | "skill";
	readonly name: string;
	readonly source: Source;
	readonly shadows: readonly Source[];
	/** Why it holds, or why it does not: `disabled`, … */
	readonly reason?: string;
}

export interface ExplainedValue extends Provenance {
	readonly group: string;
	/** As it would be written: `mcp_servers.context7`. */
	readonly name: string;
	/** Without what could be a secret. */
	readonly value: unknown;
}

export interface Explanation {
	/** The highest first. */
	readonly layers: readonly { readonly layer: string; readonly path: string; readonly note?: string }[];
	readonly values: readonly ExplainedValue[];
	readonly skipped: readonly Skipped[];
	readonly problems: readonly ConfigProblem[];
}

/** Every effective value with where it is written, what it shadows and why it holds. Pure; plain JSON. */
export function explainConfig(
	config: ResolvedConfig,
	{ roots, base }: Pick<ConfigLayers, "roots" | "base">,
	found: readonly FoundItem[] = [],
): Explanation {
	const explain = (group: string, name: string, value: unknown, { provenance }: Resolved<unknown>): ExplainedValue => ({
		group,
		name,
		value,
		...provenance,
	});
	const { permissions } = config;
	const rules = (["deny", "ask", "allow"] as const).flatMap((list) =>
		permissions[list].map((rule) => explain("Permissions", `permissions.${list}`, rule.value, rule)),
	);
	return {
		layers: listLayers(roots, base),
		values: [
			...Array.from(config.mcpServers, ([name, server]) =>
				explain("MCP servers", `mcp_servers.${name}`, describeServer(server.value), server),
			),
			...Object.entries(config.defaults).map(([field, value]) =>
				explain("Defaults for subagents", `agents.defaults.subagents.${snakeCase(field)}`, value.value, value),
			),
			...Array.from(config.agents, ([id, agent]) =>
				explain("Static agents", `agents.list.${id}`, toWrittenKeys(StaticAgent, agent.value), agent),
			),
			explain("Static agents", "agents.default_agent", config.defaultAgent.value, config.defaultAgent),
			explain("Static agents", "agents.on_duplicate", config.onDuplicate.value, config.onDuplicate),
			...config.bindings.map((binding) =>
				explain("Bindings", `bindings.${binding.value.agentId}`, toWrittenKeys(Binding, binding.value), binding),
			),
			...config.accounts.map((account) => {
				const { channel, id, isEnabled, name } = account.value;
				return explain("Channels", `channels.${channel}.accounts.${id}`, { enabled: isEnabled, name }, account);
			}),
			...Array.from(config.modelProviders, ([id, provider]) =>
				explain("Model providers", `model_providers.${id}`, describeProvider(provider.value), provider),
			),
			...Array.from(config.modelRoles, ([name, model]) =>
				explain("Model roles", `model_roles.${name}`, model.value, model),
			),
			...Array.from(config.prices, ([name, price]) => explain("Prices", `prices.${name}`, price.value, price)),
			...rules,
			...found.map(({ kind, name, source, shadows, reason = "nothing else has this name" }) => ({
				group: kind === "agent" ? "Agents" : "Skills",
				name,
				value: kind,
				...source,
				shadows,
				reason,
			})),
		],
		skipped: config.skipped,
		problems: config.problems,
	};
}

function listLayers({ home, base, repo }: ConfigLayers["roots"], baseLayer: string): Explanation["layers"] {
	const isHomeBase = home?.realPath === base?.realPath;
	const note = "only model providers, static agents, channels, bindings and permissions";
	return [
		...(repo ? [{ layer: "repo", path: repo.path }] : []),
		...(base && !isHomeBase ? [{ layer: baseLayer, path: base.path }] : []),
		...(home ? [{ layer: "home", path: home.path, ...(!isHomeBase && { note }) }] : []),
	];
}

function describeServer(server: McpServerFields): unknown {
	const described = { type: serverType(server), enabled: server.enabled !== false, ...withoutValues(server) };
	return toWrittenKeys(McpServerFields, described);
}

function describeProvider(provider: ModelProvider): unknown {
	return toWrittenKeys(ModelProvider, withoutValues(provider));
}

/** Of variables and headers only the names: what looks harmless to us may not be. */
function withoutValues<Fields extends { readonly env?: object; readonly httpHeaders?: object }>(
	fields: Fields,
): object {
	const { env, httpHeaders } = fields;
	return {
		...fields,
		...(env && { env: Object.keys(env) }),
		...(httpHeaders && { httpHeaders: Object.keys(httpHeaders) }),
	};
}
