import { nearestName } from "../base/nearestName.ts";
import type { ConfigProblem } from "../config/configProblem.ts";
import { type McpServerFields, type McpServerType, serverType } from "../config/mcpServerFields.ts";
import { isLoopback, mcpTimeouts } from "../config/mcpServerProblems.ts";
import { type ResolvedServer, startupSeconds } from "../config/mergeServers.ts";
import { placeOf, type Provenance } from "../config/provenance.ts";
import type { ResolvedConfig } from "../config/resolveConfig.ts";
import { hashMcpServer } from "./hashMcpServer.ts";

/** One server as it is configured for a run. Nothing of it has been started. */
export interface McpServer {
	readonly name: string;
	readonly type: McpServerType;
	readonly isEnabled: boolean;
	/** Whether it is on and nothing speaks against starting it; consent aside. */
	readonly isUsable: boolean;
	/** Whether a person must agree to exactly this hash before it starts. */
	readonly needsConsent: boolean;
	/** Whether a person can sign in to it: it is on the network, and nothing else says who asks. */
	readonly takesSignIn: boolean;
	readonly hash: string;
	readonly fields: McpServerFields;
	readonly startupTimeoutMs: number;
	readonly toolTimeoutMs: number;
	readonly provenance: Provenance;
	readonly problems: readonly ConfigProblem[];
}

export interface McpServers {
	/** By name, those that are off too. */
	readonly servers: readonly McpServer[];
	readonly problems: readonly ConfigProblem[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** By server, the variables that something is kept for in its stead. */
export type KeptVariables = ReadonlyMap<string, readonly string[]>;

/** The servers of a configuration, each with what keeps it from working on this machine. */
export function listMcpServers(
	config: ResolvedConfig,
	environment: Environment,
	kept: KeptVariables = new Map(),
): readonly McpServer[] {
	return Array.from(config.mcpServers, ([name, server]) => toServer(name, server, environment, kept.get(name) ?? []));
}

/** Of these, the ones that an agent names; all of them where it names none. A name that fits no server is a problem. */
export function chooseMcpServers(
	servers: readonly McpServer[],
	names: readonly string[] | undefined,
	file: string,
): McpServers {
	if (names === undefined) return { servers, problems: [] };
	const known = servers.map(({ name }) => name);
	const unknown = names.filter((name) => !known.includes(name));
	return {
		servers: servers.filter(({ name }) => names.includes(name)),
		problems: unknown.map((name) => {
			const nearest = nearestName(name, known);
			const advice = nearest === undefined ? `Known: ${known.join(", ") || "none"}.` : `Did you mean "${nearest}"?`;
			const message = `There is no MCP server "${name}". ${advice}`;
			return { severity: "error", code: "mcp.unknownServer", message, file };
		}),
	};
}

/** Whether a tool of the server is offered. What is disabled stays so, even if it is enabled too. */
export function isToolOffered({ enabledTools, disabledTools }: McpServerFields, tool: string): boolean {
	return disabledTools?.includes(tool) !== true && enabledTools?.includes(tool) !== false;
}

function toServer(name: string, server: ResolvedServer, environment: Environment, kept: readonly string[]): McpServer {
	const { value: fields, provenance, needsConsent, lacksSecret } = server;
	const isEnabled = fields.enabled !== false;
	const problems = [...(lacksSecret ? [lacksSecret] : []), ...findEmptyVariables(name, server, environment, kept)];
	const { startup, tool } = mcpTimeouts;
	return {
		name,
		type: serverType(fields),
		isEnabled,
		isUsable: isEnabled && problems.length === 0,
		needsConsent,
		takesSignIn: takesSignIn(fields),
		hash: hashMcpServer(fields),
		fields,
		startupTimeoutMs: 1000 * Math.min(startupSeconds(fields) || startup.defaultSeconds, startup.mostSeconds),
		toolTimeoutMs: 1000 * Math.min(fields.toolTimeoutSec || tool.defaultSeconds, tool.mostSeconds),
		provenance,
		problems,
	};
}

function takesSignIn({ url, bearerTokenEnvVar, envHttpHeaders = {}, httpHeaders = {} }: McpServerFields): boolean {
	if (url === undefined || !URL.canParse(url) || bearerTokenEnvVar !== undefined) return false;
	const { protocol, hostname } = new URL(url);
	// A token on an open line is everybody's.
	if (protocol !== "https:" && !isLoopback(hostname)) return false;
	const headers = [...Object.keys(envHttpHeaders), ...Object.keys(httpHeaders)];
	return !headers.some((header) => header.toLowerCase() === "authorization");
}

/** Only servers that are on need their variables. It is this machine that lacks them, not the file: no error in it. */
function findEmptyVariables(
	name: string,
	{ value, provenance }: ResolvedServer,
	environment: Environment,
	kept: readonly string[],
): readonly ConfigProblem[] {
	if (value.enabled === false) return [];
	const variables = [value.bearerTokenEnvVar, ...Object.values(value.envHttpHeaders ?? {})];
	return variables
		.filter((variable) => variable !== undefined)
		.filter((variable) => !kept.includes(variable) && (environment[variable] ?? "").trim() === "")
		.map((variable) => {
			const message = `The MCP server "${name}" can't start: the environment variable ${variable} is empty. Set it where VS Code or the command line is started.`;
			return { severity: "warning", code: "mcp.emptyVariable", message, ...placeOf(provenance) };
		});
}
