import path from "node:path";
import type { Problem } from "../base/errors.ts";
import { hashBytes } from "../base/hashBytes.ts";
import { connectionFields, type McpServerFields } from "../config/mcpServerFields.ts";
import { childEnvironment } from "../permissions/childEnvironment.ts";
import { locateProgram } from "./locateProgram.ts";
import type { McpServer } from "./mcpServers.ts";
import type { Program } from "./stdioTransport.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface LaunchPlace {
	/** The folder that the server works in, and from which its `cwd` counts. */
	readonly folder: string;
	/** Real paths of the workspace's folders: no program is looked for in them. */
	readonly roots: readonly string[];
	/** What `cwd` is told from in the hash, so that consent holds in every checkout. Default: `folder`. */
	readonly mainCheckout?: string;
}

export interface HttpAddress {
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	/** What answers at the address may be either. */
	readonly protocols: readonly ("http" | "sse")[];
}

/** What would be started or called, to the byte. Nothing has been. */
export interface LaunchPlan {
	/** Equal plans share a server. */
	readonly key: string;
	/** What a person agrees to: the configuration's hash, and what it means on this machine. */
	readonly consentHash: string;
	readonly target:
		| { readonly kind: "program"; readonly program: Program; readonly realPath: string }
		| { readonly kind: "address"; readonly address: HttpAddress }
		| { readonly kind: "none"; readonly problem: Problem };
	/** Values that no message may show. */
	readonly secrets: readonly string[];
}

/** Shorter ones are words that stand anywhere. */
const shortestSecret = 6;

/** What is `kept` for the server stands in for variables of the environment. */
export async function planLaunch(
	server: McpServer,
	place: LaunchPlace,
	inherited: Variables,
	kept: Readonly<Record<string, string>> = {},
): Promise<LaunchPlan> {
	const { fields, provenance } = server;
	const environment = { ...inherited, ...kept };
	const target = await findTarget(server, place, environment);
	const isProgram = target.kind === "program";
	const cwd = isProgram ? target.program.cwd : undefined;
	const found = isProgram ? [target.program.command, target.realPath] : [];
	const from = place.mainCheckout ?? place.folder;
	const hasOwnSecrets = Object.keys(kept).length > 0 || server.takesSignIn;
	const reached = connectionFields.map((field) => [field, server.fields[field]]);
	return {
		// One that has secrets of its own is shared with no other, however equal its command.
		key: hashOf([server.name, reached, found, cwd, hasOwnSecrets ? provenance.file : null]),
		consentHash: hashOf([server.hash, found, cwd === undefined ? "" : path.relative(from, cwd)]),
		target,
		secrets: [...new Set([...secretVariables(fields), ...Object.keys(kept)])].flatMap((name) => {
			const value = environment[name]?.trim() ?? "";
			return value.length >= shortestSecret ? [value] : [];
		}),
	};
}

/** The same text without the values that were read from the environment. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
	return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "…"), text);
}

async function findTarget(
	{ name, fields, type, problems }: McpServer,
	place: LaunchPlace,
	environment: Variables,
): Promise<LaunchPlan["target"]> {
	const [problem] = problems;
	if (problem !== undefined) return none(problem.code, problem.message);
	if (fields.httpHeadersHelper !== undefined) {
		return none(
			"mcp.headersHelper",
			`The MCP server "${name}" wants a command for its headers, which is not supported.`,
		);
	}
	if (type === "stdio") return findProgram(name, fields, place, environment);
	const { url = "", bearerTokenEnvVar, envHttpHeaders = {}, httpHeaders = {} } = fields;
	const missing = secretVariables(fields).find((variable) => (environment[variable] ?? "").trim() === "");
	if (missing !== undefined) {
		return none(
			"mcp.emptyVariable",
			`The MCP server "${name}" can't start: the environment variable ${missing} is empty.`,
		);
	}
	const read = (variable: string) => (environment[variable] ?? "").trim();
	const headers = {
		...httpHeaders,
		...Object.fromEntries(Object.entries(envHttpHeaders).map(([header, variable]) => [header, read(variable)])),
		...(bearerTokenEnvVar !== undefined && { Authorization: `Bearer ${read(bearerTokenEnvVar)}` }),
	};
	const unsendable = Object.entries(headers).find(([, value]) => !/^[\t\x20-\x7E]*$/u.test(value));
	if (unsendable)
		return none("mcp.header", `The MCP server "${name}" can't start: its header ${unsendable[0]} is not plain text.`);
	const protocols =
		type === "sse" ? (["sse"] as const) : fields.type === undefined ? (["http", "sse"] as const) : (["http"] as const);
	return { kind: "address", address: { url: new URL(url), headers, protocols } };
}

async function findProgram(
	name: string,
	{ command = "", args = [], env: written = {}, envVars = [], cwd: folder = "." }: McpServerFields,
	{ folder: from, roots }: LaunchPlace,
	environment: Variables,
): Promise<LaunchPlan["target"]> {
	const cwd = path.resolve(from, folder);
	const alsoKeep = envVars.map((each) => (typeof each === "string" ? each : each.name));
	const env = { ...childEnvironment(environment, { roots, alsoKeep }).env, ...written };
	const located = await locateProgram(command, { cwd, env });
	if (!located) {
		return none(
			"mcp.noProgram",
			`The MCP server "${name}" can't start: there is no program ${JSON.stringify(command)} that can be run. Install it, or correct "command".`,
		);
	}
	return { kind: "program", program: { command: located.path, args, cwd, env }, realPath: located.realPath };
}

function none(code: string, message: string): LaunchPlan["target"] {
	return { kind: "none", problem: { code, message } };
}

function secretVariables({ bearerTokenEnvVar, envHttpHeaders = {} }: McpServerFields): readonly string[] {
	return [...(bearerTokenEnvVar === undefined ? [] : [bearerTokenEnvVar]), ...Object.values(envHttpHeaders)];
}

function hashOf(value: unknown): string {
	return hashBytes(Buffer.from(JSON.stringify(value)));
}
