import type { AgentDiscovery } from "../agents/discoverAgents.ts";
import { discoverAgents } from "../agents/discoverAgents.ts";
import { AgentFileCache } from "../agents/agentFileCache.ts";
import type { FileProblem } from "../base/fileProblem.ts";
import { type ConfigLayers, loadConfigLayers } from "../config/configLayers.ts";
import { type ResolvedConfig, resolveConfig } from "../config/resolveConfig.ts";
import { readSettingsLayers } from "../config/settingsConfig.ts";
import type { SettingsValues } from "../config/settingsTables.ts";
import { listMcpServers, type McpServer } from "../mcp/mcpServers.ts";
import { findKeptVariables } from "../mcp/serverSecrets.ts";
import { noSecrets, type Secrets } from "../ports/secrets.ts";
import type { SkillCache } from "../skills/loadSkillFile.ts";
import { discoverSkills } from "../skills/discoverSkills.ts";
import type { ResolvedSkills } from "../skills/resolveSkills.ts";
import { knownTools } from "../tools/knownTools.ts";
import { canonicalToolName } from "../tools/toolNames.ts";

/** What the editor's settings add to the files. The command line has none. */
export interface CatalogSettings {
	/** Where role packs are; without it, in home's `.agents/roles`. */
	readonly rolesDir?: string;
	/** Those of the workspace and of a folder are left out where it is not trusted. */
	readonly settings?: SettingsValues;
}

export interface CatalogInputs extends CatalogSettings {
	readonly homeDir: string;
	/** Left out where the folder is not trusted: then nothing of it is read. */
	readonly repoDir?: string;
	readonly role?: string;
	/** The folder of a static agent, which is its home layer. */
	readonly workspaceDir?: string;
	/** A file whose MCP servers replace all others, for one run. */
	readonly mcpConfigPath?: string;
	/** Whose variables MCP servers may name. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** What people have moved out of files. Default: nothing. */
	readonly secrets?: Secrets;
	readonly providerIds: readonly string[];
	/** Makes the next reading with them fast. */
	readonly caches?: CatalogCaches;
}

export interface CatalogCaches {
	readonly agents: AgentFileCache;
	readonly skills: SkillCache;
}

export function createCatalogCaches(): CatalogCaches {
	return { agents: new AgentFileCache(), skills: new Map() };
}

/** Everything that is defined on disk for a workspace, and everything that is wrong with it. */
export interface Catalog {
	readonly layers: ConfigLayers;
	readonly config: ResolvedConfig;
	readonly agents: AgentDiscovery;
	readonly skills: ResolvedSkills;
	readonly mcpServers: readonly McpServer[];
	/** Each once, by file and place. */
	readonly problems: readonly FileProblem[];
}

/** Reads home, role and repo as they are now. Never throws: one broken file is a problem, and the rest loads. */
export async function discoverCatalog(inputs: CatalogInputs): Promise<Catalog> {
	const { layers, config, agents, roots } = await discoverAgentLayers(inputs);
	const skills = await discoverSkills(roots, inputs.caches?.skills);
	const kept = await findKeptVariables(config, inputs.secrets ?? noSecrets);
	const mcpServers = listMcpServers(config, inputs.environment, kept);
	const serverProblems = mcpServers.flatMap(({ problems }) => problems);
	const problems = [...config.problems, ...serverProblems, ...agents.problems, ...skills.problems];
	return { layers, config, agents, skills, mcpServers, problems: sortProblems(problems) };
}

/** The agents alone, and the configuration that decides between them: all that spawning needs. */
export async function discoverAgentLayers(inputs: CatalogInputs) {
	const { homeDir, rolesDir, repoDir, role, workspaceDir, mcpConfigPath, providerIds, caches, settings } = inputs;
	const files = await loadConfigLayers({
		homeDir,
		...(rolesDir !== undefined && { rolesDir }),
		...(repoDir !== undefined && { repoDir }),
		...(role !== undefined && { role }),
		...(workspaceDir !== undefined && { workspaceDir }),
		...(mcpConfigPath !== undefined && { mcpConfigPath }),
	});
	const layers = { ...files, parts: [...files.parts, ...readSettingsLayers(settings ?? {})] };
	const config = resolveConfig(layers, { ...knownTools, canonicalToolName, providerIds });
	const { home, base, repo } = layers.roots;
	const roots = [base, repo].filter((root) => root !== undefined);
	const agentRoots = home && base?.realPath !== home.realPath ? [home, ...roots] : roots;
	const agents = await discoverAgents(agentRoots, knownTools, {
		onDuplicate: config.onDuplicate.value === "projectWins" ? "projectWins" : "error",
		...(caches && { cache: caches.agents }),
	});
	return { layers, config, agents, roots };
}

function sortProblems(problems: readonly FileProblem[]): FileProblem[] {
	const place = ({ file, line = 0, column = 0 }: FileProblem) =>
		`${file}\0${String(line).padStart(8, "0")}\0${String(column).padStart(8, "0")}`;
	const unique = new Map(
		problems.map((problem) => [`${place(problem)}\0${problem.code}\0${problem.message}`, problem]),
	);
	return [...unique].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, problem]) => problem);
}
