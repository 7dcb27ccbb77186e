import { isDeepStrictEqual } from "node:util";
import { nearestName } from "../base/nearestName.ts";
import { snakeCase } from "./canonicalKeys.ts";
import { type ConfigProblem, isFromRepo } from "./configProblem.ts";
import { isPatch, type McpServerFields } from "./mcpServerFields.ts";
import { mcpTimeouts } from "./mcpServerProblems.ts";
import { positionAt } from "./positionTree.ts";
import { layOver, type Provenance, refuseValue, type Resolved, sourceOf } from "./provenance.ts";
import type { ParsedConfig } from "./readConfigTables.ts";

export interface ResolvedServer extends Resolved<McpServerFields> {
	/** Whether a person must agree to it, because the repository brought it or switched it on. */
	readonly needsConsent: boolean;
	/** Says that a secret of the server was in the file in plain text and was not kept, so that it can't work. */
	readonly lacksSecret?: ConfigProblem;
}

export interface MergedServers {
	/** By name, sorted. */
	readonly servers: ReadonlyMap<string, ResolvedServer>;
	readonly problems: readonly ConfigProblem[];
}

/**
 * The servers of all parts, the lowest first. An entry that says how to connect replaces the whole server of that name, so
 * that nobody's token goes to another host; one that does not changes it, and from the repo only towards less.
 */
export function mergeServers(parts: readonly ParsedConfig[]): MergedServers {
	const servers = new Map<string, ResolvedServer>();
	const problems: ConfigProblem[] = [];
	for (const part of parts) {
		for (const [name, fields] of Object.entries(part.value.mcpServers ?? {})) {
			const below = servers.get(name);
			const overlay = new ServerOverlay(part, name, problems);
			if (!isPatch(fields)) servers.set(name, overlay.define(fields, below));
			else if (below) servers.set(name, overlay.change(below, fields));
			else if (!part.withheldServers.has(name)) problems.push(describeNoTarget(part, name, [...servers.keys()]));
		}
	}
	return { servers: new Map([...servers].toSorted(([one], [other]) => (one < other ? -1 : 1))), problems };
}

/** From what never asks to what always does. */
const approvalModes = ["approve", "auto", "writes", "prompt"];

class ServerOverlay {
	readonly #part: ParsedConfig;
	readonly #name: string;
	readonly #problems: ConfigProblem[];

	constructor(part: ParsedConfig, name: string, problems: ConfigProblem[]) {
		this.#part = part;
		this.#name = name;
		this.#problems = problems;
	}

	define(fields: McpServerFields, below: ResolvedServer | undefined): ResolvedServer {
		const isRepos = isFromRepo(this.#part.origin);
		const value = isRepos ? this.#narrowApprovals({}, fields) : fields;
		const lacksSecret = this.#part.withheldServers.get(this.#name);
		return {
			...layOver(value, sourceOf(this.#part, ["mcpServers", this.#name]), below),
			needsConsent: isRepos,
			...(lacksSecret && { lacksSecret }),
		};
	}

	change(below: ResolvedServer, patch: McpServerFields): ResolvedServer {
		const value = this.#narrow(below.value, patch);
		const changes: Record<string, Provenance> = { ...below.provenance.changes };
		for (const field of Object.keys(value) as (keyof McpServerFields)[]) {
			if (isDeepStrictEqual(value[field], below.value[field])) continue;
			const source = sourceOf(this.#part, ["mcpServers", this.#name, field]);
			changes[snakeCase(field)] = layOver(value[field], source, below).provenance;
		}
		return {
			...below,
			value,
			provenance: { ...below.provenance, changes },
			needsConsent: below.needsConsent || (below.value.enabled === false && value.enabled === true),
		};
	}

	#narrow(base: McpServerFields, patch: McpServerFields): McpServerFields {
		const { enabledTools, disabledTools, startupTimeoutSec, startupTimeoutMs, toolTimeoutSec, ...rest } = patch;
		const approvals = this.#narrowApprovals(base, rest);
		const startup = startupTimeoutSec ?? (startupTimeoutMs === undefined ? undefined : startupTimeoutMs / 1000);
		const { startup: startupLimits, tool: toolLimits } = mcpTimeouts;
		const startupField = startupTimeoutSec === undefined ? "startupTimeoutMs" : "startupTimeoutSec";
		const longestStartup = startupSeconds(base) ?? startupLimits.defaultSeconds;
		const longestCall = base.toolTimeoutSec ?? toolLimits.defaultSeconds;
		return {
			...base,
			...approvals,
			...(enabledTools && { enabledTools: this.#onlyKnown(base.enabledTools, enabledTools) }),
			...(disabledTools && { disabledTools: [...new Set([...(base.disabledTools ?? []), ...disabledTools])] }),
			...this.#timer("startupTimeoutSec", startupField, startup, longestStartup),
			...this.#timer("toolTimeoutSec", "toolTimeoutSec", toolTimeoutSec, longestCall),
		};
	}

	#onlyKnown(base: readonly string[] | undefined, tools: readonly string[]): string[] {
		const refused = tools.filter((tool) => base !== undefined && !base.includes(tool));
		if (refused.length > 0) {
			const message = `A folder can only take tools away from a server of yours: ${refused.join(", ")} stays off.`;
			this.#refuse("enabledTools", message);
		}
		return tools.filter((tool) => !refused.includes(tool));
	}

	/** 0 is as good as not saying anything. */
	#timer(field: string, written: string, seconds: number | undefined, most: number): Partial<McpServerFields> {
		if (seconds === undefined || seconds === 0) return {};
		if (seconds <= most) return { [field]: seconds };
		this.#refuse(written, `A folder can only shorten a timer of a server of yours: it stays at ${most} seconds.`);
		return {};
	}

	#narrowApprovals(base: McpServerFields, fields: McpServerFields): McpServerFields {
		const { defaultToolsApprovalMode: mode, tools, ...rest } = fields;
		const most = base.defaultToolsApprovalMode ?? "auto";
		const kept = Object.entries(tools ?? {}).filter(([tool, { approvalMode }]) =>
			this.#isStricter(approvalMode, base.tools?.[tool]?.approvalMode ?? most, ["tools", tool, "approvalMode"]),
		);
		return {
			...rest,
			...(mode && this.#isStricter(mode, most, ["defaultToolsApprovalMode"]) && { defaultToolsApprovalMode: mode }),
			...(tools && { tools: { ...base.tools, ...Object.fromEntries(kept) } }),
		};
	}

	#isStricter(mode: string | undefined, most: string, path: readonly string[]): boolean {
		if (mode === undefined || approvalModes.indexOf(mode) >= approvalModes.indexOf(most)) return true;
		this.#refuse(path, `A folder can't say "${mode}": it can only make more calls be asked about. "${most}" holds.`);
		return false;
	}

	#refuse(path: string | readonly string[], message: string): void {
		const steps = typeof path === "string" ? [path] : path;
		this.#problems.push(refuseValue(this.#part, ["mcpServers", this.#name, ...steps], message));
	}
}

/** In seconds, whichever of the two fields says it. */
export function startupSeconds(server: McpServerFields): number | undefined {
	const { startupTimeoutSec, startupTimeoutMs } = server;
	return startupTimeoutSec || (startupTimeoutMs === undefined ? undefined : startupTimeoutMs / 1000);
}

function describeNoTarget(part: ParsedConfig, name: string, known: readonly string[]): ConfigProblem {
	const nearest = nearestName(name, known);
	const advice = nearest === undefined ? `Add "command" or "url" to define one.` : `Did you mean "${nearest}"?`;
	return {
		// Who shares a folder does not have to have all the servers that it switches off.
		severity: nearest === undefined ? "information" : "warning",
		code: "mcp.noServer",
		message: `There is no server "${name}" below this layer that could be changed. ${advice}`,
		file: part.origin.file,
		...positionAt(part.positions, ["mcpServers", name]),
	};
}
