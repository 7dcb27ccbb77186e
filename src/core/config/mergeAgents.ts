import type { StaticAgent } from "./agentsFields.ts";
import { snakeCase } from "./canonicalKeys.ts";
import type { ConfigProblem } from "./configProblem.ts";
import { positionAt } from "./positionTree.ts";
import { builtIn, layOver, placeOf, refuseValue, type Resolved, sourceOf } from "./provenance.ts";
import type { ParsedConfig } from "./readConfigTables.ts";

export interface MergedAgents {
	/** By id, `main` always among them. */
	readonly agents: ReadonlyMap<string, Resolved<StaticAgent>>;
	/** Gets what no binding sends elsewhere. */
	readonly defaultAgent: Resolved<string>;
	readonly problems: readonly ConfigProblem[];
}

/** Fields that reach beyond the folder: who is answered, where an agent's home is, whose credentials and agents it uses. */
const usersOwn: readonly (keyof StaticAgent)[] = ["default", "workspace", "authDir", "authFallback"];

/**
 * The static agents of these parts, the lowest first. A higher layer's agent replaces the one of the same id as a whole.
 * The repo may bring agents of its own, but replaces the user's only where the user said that projects win.
 */
export function mergeAgents(parts: readonly ParsedConfig[], onDuplicate: "fail" | "projectWins"): MergedAgents {
	const problems: ConfigProblem[] = [];
	const agents = new Map<string, Resolved<StaticAgent>>([["main", layOver({ id: "main" }, builtIn)]]);
	for (const part of parts) {
		for (const [index, written] of (part.value.agents?.list ?? []).entries()) {
			const path = ["agents", "list", index];
			const below = agents.get(written.id);
			const isRepos = part.origin.layer === "repo";
			if (isRepos && below && below.provenance.layer !== "repo" && onDuplicate === "fail") {
				problems.push(describeClash(part, index, written.id, below));
				continue;
			}
			const agent = isRepos ? narrowAgent(part, index, written, problems) : written;
			agents.set(agent.id, layOver(withoutEmptyAllow(agent), sourceOf(part, path), below));
		}
	}
	return { agents, defaultAgent: findDefault([...agents.values()], problems), problems };
}

function narrowAgent(part: ParsedConfig, index: number, agent: StaticAgent, problems: ConfigProblem[]): StaticAgent {
	const refuse = (field: string, path: readonly string[]) =>
		problems.push(
			refuseValue(
				part,
				["agents", "list", index, ...path],
				`A folder can't set "${field}" of an agent. Set it in your own configuration, if you want it.`,
			),
		);
	const narrowed: Record<string, unknown> = { ...agent };
	for (const field of usersOwn) {
		if (agent[field] === undefined) continue;
		refuse(snakeCase(field), [field]);
		delete narrowed[field];
	}
	if (agent.subagents?.allowAgents !== undefined) {
		const { allowAgents: _, ...rest } = agent.subagents;
		refuse("subagents.allow_agents", ["subagents", "allowAgents"]);
		narrowed["subagents"] = rest;
	}
	return narrowed as StaticAgent;
}

/** An empty list of allowed tools is how people write that they allow all. */
function withoutEmptyAllow(agent: StaticAgent): StaticAgent {
	const { tools, subagents, ...rest } = agent;
	const { allow, ...others } = tools ?? {};
	const { allowTools, ...settings } = subagents ?? {};
	return {
		...rest,
		...(tools && { tools: { ...others, ...(allow && allow.length > 0 && { allow }) } }),
		...(subagents && { subagents: { ...settings, ...(allowTools && allowTools.length > 0 && { allowTools }) } }),
	};
}

/** The default of the highest layer that has one. */
function findDefault(agents: readonly Resolved<StaticAgent>[], problems: ConfigProblem[]): Resolved<string> {
	const defaults = agents.filter(({ value }) => value.default === true);
	const fromSettings = defaults.filter(({ provenance }) => provenance.layer === "settings");
	const [first, second] = fromSettings.length > 0 ? fromSettings : defaults;
	if (second !== undefined) {
		const message = `"${first?.value.id}" is the default agent already. Only one can be: remove "default" from one of them.`;
		problems.push({ severity: "warning", code: "config.twoDefaults", message, ...placeOf(second.provenance) });
	}
	return first === undefined ? layOver("main", builtIn) : { value: first.value.id, provenance: first.provenance };
}

function describeClash(part: ParsedConfig, index: number, id: string, below: Resolved<StaticAgent>): ConfigProblem {
	const { file } = below.provenance;
	return {
		severity: "error",
		code: "config.agentClash",
		message: `There is an agent "${id}" already, ${file === undefined ? "built in" : `in ${file}`}; that one is used. Rename this one, or set muster.onDuplicateAgent to projectWins.`,
		file: part.origin.file,
		...positionAt(part.positions, ["agents", "list", index, "id"]),
		...(file !== undefined && { remedies: [{ kind: "openFile", path: file }] }),
	};
}
