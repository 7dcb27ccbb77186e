import { isDeepStrictEqual } from "node:util";
import type { StaticAgent } from "./agentsFields.ts";
import { snakeCase } from "./canonicalKeys.ts";
import type { ConfigProblem } from "./configProblem.ts";
import { type Narrow, narrowValue } from "./narrowValue.ts";
import type { Path } from "./positionTree.ts";
import { builtIn, layOver, placeOf, refuseValue, type Resolved, type Source, sourceOf } from "./provenance.ts";
import type { ParsedConfig } from "./readConfigTables.ts";
import { isTable } from "./withholdSecrets.ts";

export interface MergedAgents {
	/** By id, `main` always among them. */
	readonly agents: ReadonlyMap<string, Resolved<StaticAgent>>;
	/** Gets what no binding sends elsewhere. */
	readonly defaultAgent: Resolved<string>;
	readonly problems: readonly ConfigProblem[];
}

/** What a repo may say of an agent, by the path of the field. Everything else of it is the user's to say. */
const narrowable: Readonly<Record<string, Narrow>> = {
	sandbox: narrowValue.sandbox,
	"tools.allow": narrowValue.onlyThese,
	"tools.deny": narrowValue.alsoThese,
	"subagents.allowAgents": narrowValue.agents,
	"subagents.runTimeoutSeconds": narrowValue.seconds,
	"subagents.allowTools": narrowValue.onlyThese,
	"subagents.denyTools": narrowValue.alsoThese,
};

export interface MergeAgentsOptions {
	readonly canonicalName: (tool: string) => string;
	/** What holds for an agent that says nothing itself. */
	readonly runTimeoutSeconds: number;
}

/**
 * The static agents of these parts, the lowest first, merged by id, field by field. A repo brings none, and only narrows
 * those that the user has.
 */
export function mergeAgents(parts: readonly ParsedConfig[], options: MergeAgentsOptions): MergedAgents {
	const problems: ConfigProblem[] = [];
	const agents = new Map<string, Resolved<StaticAgent>>([["main", layOver({ id: "main" }, builtIn)]]);
	for (const part of parts) {
		for (const [index, written] of (part.value.agents?.list ?? []).entries()) {
			const path = ["agents", "list", index];
			const below = agents.get(written.id);
			const agent = withoutEmptyAllow(written);
			if (part.origin.layer === "repo") {
				if (below) agents.set(agent.id, narrowAgent(part, path, agent, below, options, problems));
				else problems.push(refuseValue(part, path, describeNew(agent.id)));
				continue;
			}
			const isFirst = below === undefined || below.provenance.layer === "builtIn";
			agents.set(
				agent.id,
				isFirst ? layOver(agent, sourceOf(part, path), below) : layFieldsOver(part, path, agent, below),
			);
		}
	}
	return { agents, defaultAgent: findDefault([...agents.values()], problems), problems };
}

function describeNew(id: string): string {
	return `A folder can't bring a static agent, and you have none called "${id}". Put it into the config.toml of your home, or into your settings; an agent of the folder's own is a file in .agents/agents.`;
}

function narrowAgent(
	part: ParsedConfig,
	path: Path,
	agent: StaticAgent,
	below: Resolved<StaticAgent>,
	{ canonicalName, runTimeoutSeconds }: MergeAgentsOptions,
	problems: ConfigProblem[],
): Resolved<StaticAgent> {
	const lowers = fieldsOf(below.value);
	let merged = below;
	for (const [field, higher] of fieldsOf(agent)) {
		if (field === "id") continue;
		const at = [...path, ...field.split(".")];
		const narrow = narrowable[field];
		if (!narrow) {
			const name = field.split(".").map(snakeCase).join(".");
			const message = `A folder can't set "${name}" of an agent. Set it in your own configuration, if you want it.`;
			problems.push(refuseValue(part, at, message));
			continue;
		}
		const lower = lowers.get(field) ?? (field === "subagents.runTimeoutSeconds" ? runTimeoutSeconds : undefined);
		const { value, refused } = narrow(lower, higher, canonicalName);
		if (refused !== undefined) {
			const message = `A folder can only narrow what your own configuration allows: ${refused}.`;
			problems.push(refuseValue(part, at, message));
		}
		if (!isDeepStrictEqual(value, lower)) merged = layField(merged, field, value, sourceOf(part, at));
	}
	return merged;
}

/** A higher layer of the user's own. */
function layFieldsOver(
	part: ParsedConfig,
	path: Path,
	agent: StaticAgent,
	below: Resolved<StaticAgent>,
): Resolved<StaticAgent> {
	const own = [...fieldsOf(agent)].filter(([field]) => field !== "id");
	return own.reduce(
		(merged, [field, value]) => layField(merged, field, value, sourceOf(part, [...path, ...field.split(".")])),
		below,
	);
}

function layField(
	{ value: agent, provenance }: Resolved<StaticAgent>,
	field: string,
	value: unknown,
	source: Source,
): Resolved<StaticAgent> {
	const [key = "", inner] = field.split(".");
	const before = (agent as Readonly<Record<string, unknown>>)[key];
	const changed = inner === undefined ? value : { ...Object(before), [inner]: value };
	const lower = { value: before, provenance: provenance.changes?.[field] ?? provenance };
	const change = layOver(value, source, fieldsOf(agent).has(field) ? lower : undefined).provenance;
	return {
		value: { ...agent, [key]: changed },
		provenance: { ...provenance, changes: { ...provenance.changes, [field]: change } },
	};
}

/** What an agent says, by `field` and `table.field`. */
function fieldsOf(agent: StaticAgent): ReadonlyMap<string, unknown> {
	const entries = Object.entries(agent).flatMap(([key, value]): [string, unknown][] =>
		isTable(value) ? Object.entries(value).map(([inner, part]) => [`${key}.${inner}`, part]) : [[key, value]],
	);
	return new Map(entries);
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
	const placeOfDefault = ({ provenance }: Resolved<StaticAgent>) => provenance.changes?.["default"] ?? provenance;
	const fromSettings = defaults.filter((agent) => placeOfDefault(agent).layer === "settings");
	const [first, second] = fromSettings.length > 0 ? fromSettings : defaults;
	if (second !== undefined) {
		const message = `"${first?.value.id}" is the default agent already. Only one can be: remove "default" from one of them.`;
		problems.push({ severity: "warning", code: "config.twoDefaults", message, ...placeOf(placeOfDefault(second)) });
	}
	return first === undefined ? layOver("main", builtIn) : { value: first.value.id, provenance: placeOfDefault(first) };
}
