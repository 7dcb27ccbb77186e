import type { StaticAgent } from "./agentsFields.ts";
import { toCanonicalKeys } from "./canonicalKeys.ts";
import { findConfigProblems, findLongTimers, mostServers } from "./configChecks.ts";
import { describeIssue, entryOf, leaveOut } from "./configEntries.ts";
import { type ConfigOrigin, type ConfigProblem, locateProblem, type PartProblem } from "./configProblem.ts";
import { Config } from "./configSchema.ts";
import { noPositions, type Path, type PositionTree, writtenSteps } from "./positionTree.ts";
import { withholdSecrets } from "./withholdSecrets.ts";

export interface ParsedConfig {
	readonly origin: ConfigOrigin;
	/** What the file says and nothing else: no defaults. Profiles are in `agents.list`. */
	readonly value: Config;
	/** In the shape of the value. */
	readonly positions: PositionTree;
	readonly problems: readonly ConfigProblem[];
	/** The servers that lack a secret, because it stood in the file in plain text, with the problem that says so. */
	readonly withheldServers: ReadonlyMap<string, ConfigProblem>;
}

/** A configuration that says nothing. */
export function emptyConfig(origin: ConfigOrigin, problems: readonly ConfigProblem[] = []): ParsedConfig {
	return { origin, value: {}, positions: noPositions, problems, withheldServers: new Map() };
}

/**
 * Reads the tables of a configuration, whatever language they were written in. Never throws. An entry with a mistake is
 * left out, the others load; every mistake is reported once, where it is.
 */
export function readConfigTables(origin: ConfigOrigin, raw: unknown, tree: PositionTree): ParsedConfig {
	const problems: ConfigProblem[] = [];
	const report = (found: readonly PartProblem[], positions: PositionTree) =>
		problems.push(...found.map((problem) => locateProblem(withSetting(problem, origin), origin.file, positions)));

	const { value: safe, problems: omissions } = withholdSecrets(raw);
	const secrets = omissions.map((problem) => withRemedy(problem, origin.file, tree));
	report(secrets, tree);
	const canonical = toCanonicalKeys(Config, safe, tree);
	report([...canonical.problems, ...findLongTimers(canonical.value)], canonical.tree);

	const issues = (Config.safeParse(canonical.value).error?.issues ?? []).map((issue) =>
		describeIssue(issue, canonical.value, canonical.tree),
	);
	report(issues, canonical.tree);
	const wrong = leaveOut(canonical.value, canonical.tree, entriesWithErrors([...canonical.problems, ...issues]));
	// What is left has passed the schema once already; should that ever not hold, nothing is better than a guess.
	const config = foldProfiles(Config.safeParse(wrong.value).data ?? {}, wrong.tree);
	report(config.problems, config.tree);

	const withheldServers = findWithheldServers(secrets, origin.file, tree);
	const found = findConfigProblems(config.value, origin, withheldServers);
	report(found, config.tree);
	const surplus = Object.keys(config.value.mcpServers ?? {}).slice(mostServers);
	const kept = leaveOut(config.value, config.tree, [
		...entriesWithErrors(found),
		...surplus.map((name) => ["mcpServers", name]),
	]);
	problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0));
	return { origin, value: kept.value as Config, positions: kept.tree, problems, withheldServers };
}

function entriesWithErrors(problems: readonly PartProblem[]): readonly Path[] {
	return problems.filter(({ severity }) => severity === "error").map(({ path }) => entryOf(path).path);
}

function withRemedy(problem: PartProblem, file: string, tree: PositionTree): PartProblem {
	if (problem.code !== "config.inlineSecret") return problem;
	return { ...problem, remedies: [{ kind: "moveToSecretStorage", file, path: writtenSteps(tree, problem.path) }] };
}

/** A setting has no line to go to, but the editor finds it by its name. */
function withSetting(problem: PartProblem, { settings }: ConfigOrigin): PartProblem {
	const [table] = problem.path;
	if (settings === undefined || table === undefined) return problem;
	const remedies = [...(problem.remedies ?? []), { kind: "openSetting", setting: `muster.${table}` } as const];
	return { ...problem, remedies };
}

function findWithheldServers(
	secrets: readonly PartProblem[],
	file: string,
	tree: PositionTree,
): ReadonlyMap<string, ConfigProblem> {
	const ofServers = secrets.filter(
		({ code, path: [table] }) => code === "config.inlineSecret" && (table === "mcp_servers" || table === "mcpServers"),
	);
	return new Map(ofServers.map((problem) => [String(problem.path[1]), locateProblem(problem, file, tree)]));
}

/** Seed 002's profiles and default agent, as entries of the list. */
function foldProfiles(
	config: Config,
	tree: PositionTree,
): { readonly value: Config; readonly tree: PositionTree; readonly problems: readonly PartProblem[] } {
	if (config.agents === undefined) return { value: config, tree, problems: [] };
	const { profiles = {}, defaultAgent, list = [], ...rest } = config.agents;
	const fromProfiles = Object.entries(profiles).map(([id, profile]): StaticAgent => ({
		id: id.toLowerCase(),
		...profile,
	}));
	const agents = [...list, ...fromProfiles].map((agent) =>
		agent.id === defaultAgent?.toLowerCase() ? { ...agent, default: true } : agent,
	);
	const problems: PartProblem[] = [];
	if (defaultAgent !== undefined && defaultAgent !== "main" && !agents.some(({ default: isDefault }) => isDefault)) {
		const message = `There is no agent "${defaultAgent}", so "main" is the default. Known here: ${agents.map(({ id }) => id).join(", ") || "none"}.`;
		problems.push({ severity: "warning", code: "config.unknownAgent", message, path: ["agents", "defaultAgent"] });
	}
	return { value: { ...config, agents: { ...rest, list: agents } }, tree: foldPositions(tree), problems };
}

function foldPositions(tree: PositionTree): PositionTree {
	const agents = tree.children.get("agents");
	if (agents === undefined) return tree;
	const list = agents.children.get("list") ?? agents;
	const profiles = agents.children.get("profiles");
	const listed = agents.children.has("list") ? [...list.children.values()] : [];
	const items = [...listed, ...(profiles?.children.values() ?? [])];
	const folded = { ...list, children: new Map(items.map((item, index) => [index, item] as const)) };
	const children = new Map(agents.children).set("list", folded);
	return { ...tree, children: new Map(tree.children).set("agents", { ...agents, children }) };
}
