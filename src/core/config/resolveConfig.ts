import { nearestName } from "../base/nearestName.ts";
import { type ConfigLayers } from "./configLayers.ts";
import type { ConfigLayer, ConfigProblem, SettingsLevel } from "./configProblem.ts";
import { findUnknownReferences, type Vocabulary } from "./configReferences.ts";
import type { Binding, ModelProvider, Price } from "./configSchema.ts";
import { type MergedAgents, mergeAgents } from "./mergeAgents.ts";
import { builtInDefaults, mergeDefaults, type ResolvedDefaults } from "./mergeDefaults.ts";
import { mergeServers, type ResolvedServer } from "./mergeServers.ts";
import {
	mergeAccounts,
	mergeBindings,
	mergeModelRoles,
	mergePrices,
	mergeProviders,
	mergeRules,
	type PermissionList,
	type ResolvedAccount,
} from "./mergeTables.ts";
import { builtIn, layOver, placeOf, type Resolved, type Skipped, sourceOf } from "./provenance.ts";
import type { ParsedConfig } from "./readConfigTables.ts";
import { refuseTables } from "./refuseTables.ts";

export interface ResolvedConfig extends Pick<MergedAgents, "agents" | "defaultAgent"> {
	/** By name, sorted; those that are switched off too. */
	readonly mcpServers: ReadonlyMap<string, ResolvedServer>;
	readonly defaults: ResolvedDefaults;
	readonly bindings: readonly Resolved<Binding>[];
	readonly accounts: readonly Resolved<ResolvedAccount>[];
	readonly modelProviders: ReadonlyMap<string, Resolved<ModelProvider>>;
	/** By the name of the role. */
	readonly modelRoles: ReadonlyMap<string, Resolved<string>>;
	readonly prices: ReadonlyMap<string, Resolved<Price>>;
	readonly permissions: Readonly<Record<PermissionList, readonly Resolved<string>[]>>;
	readonly onDuplicate: Resolved<"fail" | "projectWins">;
	readonly skipped: readonly Skipped[];
	readonly problems: readonly ConfigProblem[];
}

/** The higher, the later. */
const ranks: Readonly<Record<ConfigLayer, number>> = { home: 0, workspace: 1, role: 1, repo: 2, settings: 3, call: 4 };

/**
 * Makes one configuration of all layers: settings over the repo over the base. Pure; which of two values holds depends on
 * their layers alone, never on the order of the parts. The repo only narrows, and what it may not say is a problem.
 * Parts may come from files and from settings.
 */
export function resolveConfig(
	layers: Pick<ConfigLayers, "base" | "parts" | "hasOwnServers"> & { readonly problems?: readonly ConfigProblem[] },
	vocabulary: Vocabulary,
): ResolvedConfig {
	const parts = layers.parts.toSorted(compareParts);
	const of = (...names: ConfigLayer[]) => parts.filter(({ origin }) => names.includes(origin.layer));
	const { base } = layers;

	const servers = mergeServers(layers.hasOwnServers ? of("call") : of(base, "repo"));
	const { defaults, problems: defaultsProblems } = mergeDefaults(
		of(base, "repo", "settings"),
		vocabulary.canonicalToolName,
	);
	const onDuplicate = findOnDuplicate(of("home", "settings"));
	const {
		agents,
		defaultAgent,
		problems: agentProblems,
	} = mergeAgents(of("home", "repo", "settings"), {
		canonicalName: vocabulary.canonicalToolName,
		runTimeoutSeconds: defaults.runTimeoutSeconds?.value ?? builtInDefaults.runTimeoutSeconds,
	});
	const modelProviders = mergeProviders(of("home", "settings"));
	const accounts = mergeAccounts(of("home", "settings"));
	const { bindings, problems: bindingProblems } = checkBindings(
		mergeBindings(of("home", "settings")),
		agents,
		accounts,
	);
	const everywhere = of("home", "workspace", "role", "repo", "settings");
	const providerIds = [...vocabulary.providerIds, ...modelProviders.keys()];
	return {
		mcpServers: servers.servers,
		defaults,
		agents,
		defaultAgent,
		bindings,
		accounts,
		modelProviders,
		modelRoles: mergeModelRoles(of("home", "settings")),
		prices: mergePrices(of("home", "settings")),
		permissions: {
			allow: mergeRules(of("home", "settings"), "allow"),
			ask: mergeRules(everywhere, "ask"),
			deny: mergeRules(everywhere, "deny"),
		},
		onDuplicate,
		skipped: findSkipped(parts, layers),
		problems: withoutRepeats([
			...(layers.problems ?? []),
			...parts.flatMap(({ problems }) => problems),
			...refuseAll(of("workspace", "role", "repo"), of("home")),
			...servers.problems,
			...defaultsProblems,
			...agentProblems,
			...bindingProblems,
			...everywhere.flatMap((part) => findUnknownReferences(part, vocabulary, providerIds)),
		]),
	};
}

/** Within the repo layer its files lie over its settings; apart from that by name. */
function compareParts({ origin: one }: ParsedConfig, { origin: other }: ParsedConfig): number {
	return (
		ranks[one.layer] - ranks[other.layer] ||
		levelOf(one.settings) - levelOf(other.settings) ||
		(one.file < other.file ? -1 : 1)
	);
}

function levelOf(settings: SettingsLevel | undefined): number {
	return settings === undefined ? 3 : { user: 0, workspace: 1, folder: 2 }[settings];
}

function findOnDuplicate(parts: readonly ParsedConfig[]): Resolved<"fail" | "projectWins"> {
	return parts.reduce<Resolved<"fail" | "projectWins">>(
		(below, part) => {
			const value = part.value.agents?.onDuplicate;
			return value === undefined ? below : layOver(value, sourceOf(part, ["agents", "onDuplicate"]), below);
		},
		layOver("fail", builtIn),
	);
}

/** A home that is open as a folder too says nothing wrong there. */
function refuseAll(parts: readonly ParsedConfig[], home: readonly ParsedConfig[]): readonly ConfigProblem[] {
	const own = new Set(home.map(({ origin }) => origin.file));
	return parts.filter(({ origin }) => !own.has(origin.file)).flatMap(refuseTables);
}

function checkBindings(
	bindings: readonly Resolved<Binding>[],
	agents: MergedAgents["agents"],
	accounts: readonly Resolved<ResolvedAccount>[],
): { readonly bindings: readonly Resolved<Binding>[]; readonly problems: readonly ConfigProblem[] } {
	const problems: ConfigProblem[] = [];
	const kept = bindings.filter(({ value, provenance }) => {
		const { agentId, match } = value;
		const at = placeOf(provenance);
		if (!agents.has(agentId)) {
			const nearest = nearestName(agentId, [...agents.keys()]);
			const advice = nearest === undefined ? `Known: ${[...agents.keys()].join(", ")}.` : `Did you mean "${nearest}"?`;
			const message = `There is no agent "${agentId}" to bind to. ${advice} Until there is, the default agent answers.`;
			problems.push({ severity: "error", code: "config.unknownAgent", message, ...at });
			return false;
		}
		const isThere = accounts.some(
			({ value: account }) => account.channel === match.channel && account.id === match.accountId,
		);
		if (match.accountId !== undefined && !isThere) {
			const message = `The channel "${match.channel}" has no account "${match.accountId}", so this binding waits for one.`;
			problems.push({ severity: "warning", code: "config.unknownAccount", message, ...at });
		}
		return true;
	});
	return { bindings: kept, problems };
}

/** What was read and stands aside for another layer as a whole. */
function findSkipped(
	parts: readonly ParsedConfig[],
	{ base, hasOwnServers }: Pick<ConfigLayers, "base" | "hasOwnServers">,
): readonly Skipped[] {
	return parts.flatMap((part) => {
		const isBelowBase = part.origin.layer === "home" && base !== "home";
		const aside = base === "role" ? "a role pack stands in for home" : "the agent's workspace stands in for home";
		const reason = isBelowBase ? aside : "the call names a file with servers of its own";
		const isPassedOver = isBelowBase || (hasOwnServers && part.origin.layer !== "call");
		const servers = isPassedOver ? Object.keys(part.value.mcpServers ?? {}) : [];
		const hasDefaults = isBelowBase && part.value.agents?.defaults !== undefined;
		return [
			...servers.map((name) => ({ name: `mcp_servers.${name}`, source: sourceOf(part, ["mcpServers", name]), reason })),
			...(hasDefaults
				? [{ name: "agents.defaults", source: sourceOf(part, ["agents", "defaults"]), reason: aside }]
				: []),
		];
	});
}

/** A file that stands for two layers says everything twice. */
function withoutRepeats(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
	const seen = new Map(
		problems.map((problem) => [
			JSON.stringify([problem.file, problem.line, problem.column, problem.code, problem.message]),
			problem,
		]),
	);
	return [...seen.values()];
}
