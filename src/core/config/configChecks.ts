import { nearestName } from "../base/nearestName.ts";
import { longestTimerSeconds } from "./configFields.ts";
import type { ConfigOrigin, PartProblem } from "./configProblem.ts";
import type { Config } from "./configSchema.ts";
import { findServerProblems } from "./mcpServerProblems.ts";
import type { Path } from "./positionTree.ts";

/** More servers than this in one file are a mistake, or worse. */
export const mostServers = 32;
const knownChannels: readonly string[] = ["telegram", "panel", "chat"];
/** These are inside the extension, so nothing can stand in for them. */
const builtInProviders: ReadonlySet<string> = new Set(["demo", "vscode"]);

/** What a schema can't say: names, what entries mean together, what is odd about a value that is allowed. */
export function findConfigProblems(
	config: Config,
	origin: ConfigOrigin,
	withheldServers: ReadonlyMap<string, unknown>,
): readonly PartProblem[] {
	return [
		...findMcpProblems(config, origin, withheldServers),
		...findAgentProblems(config),
		...findDuplicates("agent", config.agents?.list?.map(({ id }) => id) ?? [], ["agents", "list"]),
		...findDuplicates(
			"binding for",
			config.bindings?.map(({ match }) => [match.channel, match.accountId].join(" ").trim()) ?? [],
			["bindings"],
		),
		...findChannelProblems(config),
		...findProviderProblems(config),
	];
}

function findMcpProblems(config: Config, origin: ConfigOrigin, withheld: ReadonlyMap<string, unknown>): PartProblem[] {
	return Object.entries(config.mcpServers ?? {}).flatMap(([name, server], index): readonly PartProblem[] => {
		const path = ["mcpServers", name];
		if (index >= mostServers) {
			const message = `There are more than ${mostServers} servers. This one and those behind it are left out.`;
			return index > mostServers ? [] : [{ severity: "error", code: "config.tooManyServers", message, path }];
		}
		if (!/^[\w-]{1,64}$/u.test(name)) return [refuseName("A server's name", path)];
		return findServerProblems(server, origin, withheld.has(name)).map((problem) => ({
			...problem,
			message: `MCP server "${name}": ${problem.message}`,
			path: [...path, ...problem.path],
		}));
	});
}

function refuseName(what: string, path: Path): PartProblem {
	const message = `${what} must be 1 to 64 letters, digits, _ and -. It is left out until this is fixed.`;
	return { severity: "error", code: "config.name", message, path };
}

function findAgentProblems({ agents }: Config): PartProblem[] {
	return (agents?.list ?? []).flatMap((agent, index): PartProblem[] => {
		if (agent.authDir === undefined) return [];
		const message = `Folders with credentials are not read. Enter the keys of "${agent.id}" in Secret Storage; they are kept by agent.`;
		return [{ severity: "information", code: "config.authDir", message, path: ["agents", "list", index, "authDir"] }];
	});
}

function findDuplicates(what: string, names: readonly string[], path: Path): PartProblem[] {
	return names.flatMap((name, index): PartProblem[] => {
		if (names.indexOf(name) === index) return [];
		const message = `There is another ${what} "${name}" above; that one counts. Remove one of the two.`;
		return [{ severity: "error", code: "config.duplicate", message, path: [...path, index] }];
	});
}

function findChannelProblems({ channels }: Config): PartProblem[] {
	return Object.keys(channels ?? {})
		.filter((name) => !knownChannels.includes(name))
		.map((name) => {
			const nearest = nearestName(name, knownChannels);
			const advice = nearest === undefined ? `Known: ${knownChannels.join(", ")}.` : `Did you mean "${nearest}"?`;
			const message = `There is no channel "${name.slice(0, 60)}". ${advice}`;
			return { severity: "warning", code: "config.unknownChannel", message, path: ["channels", name] };
		});
}

function findProviderProblems({ modelProviders }: Config): PartProblem[] {
	return Object.keys(modelProviders ?? {}).flatMap((id): PartProblem[] => {
		const path = ["modelProviders", id];
		if (!/^[\w.-]{1,64}$/u.test(id)) return [refuseName("A provider's id", path)];
		if (builtInProviders.has(id)) {
			const message = `"${id}" is built in and can't be replaced. Choose another name.`;
			return [{ severity: "error", code: "config.name", message, path }];
		}
		return [];
	});
}

/** Timers that the schema shortened. Looks at what was written, before the schema did. */
export function findLongTimers(value: unknown, path: Path = []): PartProblem[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([key, part]): PartProblem[] => {
		const here = [...path, Array.isArray(value) ? Number(key) : key];
		if (key !== "runTimeoutSeconds" || !(Number(part) > longestTimerSeconds)) return findLongTimers(part, here);
		const message = `This is more than a day; ${longestTimerSeconds} is used. For no limit, write 0.`;
		return [{ severity: "warning", code: "config.longTimer", message, path: here }];
	});
}
