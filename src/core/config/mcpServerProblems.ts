import { type ConfigOrigin, isFromRepo, type PartProblem } from "./configProblem.ts";
import { isPatch, type McpServerFields } from "./mcpServerFields.ts";

/** What a server's timers may be at most, and what they are where nothing is said. */
export const mcpTimeouts = {
	startup: { defaultSeconds: 30, mostSeconds: 120 },
	tool: { defaultSeconds: 300, mostSeconds: 600 },
} as const;

/** Of each transport, what the other one does not have. */
const stdioFields = ["command", "args", "env", "envVars", "cwd"] as const;
const httpFields = [
	"url",
	"bearerTokenEnvVar",
	"httpHeaders",
	"envHttpHeaders",
	"httpHeadersHelper",
	"auth",
	"oauth",
	"oauthResource",
] as const;

/** Variables that change what a program loads: code behind a command that looks harmless. */
const loaderVariable =
	/^(?:PATH|NODE_OPTIONS|ELECTRON_RUN_AS_NODE|LD_.+|DYLD_.+|BASH_ENV|ENV|PYTHON.+|PERL5.+|RUBY(?:OPT|LIB)|GIT_.+|JAVA_TOOL_OPTIONS|CLASSPATH)$/iu;

/** Headers that belong to the connection, not to whoever configures it. */
const connectionHeader = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer)$/iu;

/**
 * What the fields of one server mean together, beyond what each may be by itself. Paths are from the server. `hasWithheld`
 * says that a secret was taken out, which may be the very field that is missed here.
 */
export function findServerProblems(
	server: McpServerFields,
	origin: ConfigOrigin,
	hasWithheld: boolean,
): readonly PartProblem[] {
	const transport = hasWithheld ? undefined : findTransportProblem(server, origin);
	return [
		...(transport === undefined ? [] : [transport]),
		...findPlaceProblems(server),
		...findAddressProblems(server, origin),
		...findNameProblems(server, origin),
		...findTimeoutProblems(server),
	];
}

function findTransportProblem(server: McpServerFields, origin: ConfigOrigin): PartProblem | undefined {
	if (isPatch(server) && origin.layer === "repo") return undefined;
	if (server.command !== undefined && server.url !== undefined) {
		return refuse(`It has both "command" and "url". A server is one program or one address: keep one of them.`, "url");
	}
	if (server.command === undefined && server.url === undefined) {
		return refuse(`It has neither "command" nor "url". Say which program to start, or which address to use.`);
	}
	const isStdio = server.command !== undefined;
	if (server.type !== undefined && (server.type === "stdio") !== isStdio) {
		const advice = isStdio ? `"command" means stdio` : `"url" means http or sse`;
		return refuse(`Its type does not fit: ${advice}. Remove "type".`, "type");
	}
	const odd = (isStdio ? httpFields : stdioFields).find((field) => server[field] !== undefined);
	return (
		odd &&
		refuse(
			`This belongs to ${isStdio ? "an address" : "a program"}, not to ${isStdio ? "a program" : "an address"}. Remove it.`,
			odd,
		)
	);
}

function refuse(message: string, field?: string): PartProblem {
	return { severity: "error", code: "mcp.transport", message, path: field === undefined ? [] : [field] };
}

function findPlaceProblems({ environmentId }: McpServerFields): PartProblem[] {
	if (environmentId === undefined || environmentId === "local") return [];
	const message =
		"It is meant for another place than this machine, which is the only one known. Remove this to start it here.";
	return [{ severity: "error", code: "mcp.environment", message, path: ["environmentId"] }];
}

function findAddressProblems({ url }: McpServerFields, origin: ConfigOrigin): PartProblem[] {
	if (url === undefined) return [];
	const path = ["url"];
	const address = URL.canParse(url) ? new URL(url) : undefined;
	if (address === undefined || !/^https?:$/u.test(address.protocol) || address.username !== "") {
		const message = "This is not an address that can be used: write https://…, without a user or a password.";
		return [{ severity: "error", code: "mcp.url", message, path }];
	}
	if (address.protocol === "https:" || isLoopback(address.hostname)) return [];
	const message =
		"Requests to this address are not encrypted, tokens included. Use https, or http on this machine only.";
	return [{ severity: isFromRepo(origin) ? "error" : "warning", code: "mcp.url", message, path }];
}

export function isLoopback(hostname: string): boolean {
	return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/iu.test(hostname);
}

function findNameProblems(server: McpServerFields, origin: ConfigOrigin): PartProblem[] {
	const problems: PartProblem[] = [];
	for (const name of Object.keys(server.env ?? {})) {
		const path = ["env", name];
		if (!/^[A-Za-z_]\w*$/u.test(name)) {
			const message = "This can't be the name of an environment variable.";
			problems.push({ severity: "error", code: "config.name", message, path });
		} else if (isFromRepo(origin) && loaderVariable.test(name)) {
			const message = `"${name}" changes what the program loads, which a folder may not do. Set it in your own configuration.`;
			problems.push({ severity: "error", code: "mcp.loaderVariable", message, path });
		}
	}
	for (const field of ["httpHeaders", "envHttpHeaders"] as const) {
		for (const name of Object.keys(server[field] ?? {})) {
			if (/^[!#$%&'*+.^`|~\w-]+$/u.test(name) && !connectionHeader.test(name)) continue;
			const message = "This header can't be set. Remove it.";
			problems.push({ severity: "error", code: "mcp.header", message, path: [field, name] });
		}
	}
	return problems;
}

function findTimeoutProblems(server: McpServerFields): PartProblem[] {
	const startup = mcpTimeouts.startup.mostSeconds;
	const tool = mcpTimeouts.tool.mostSeconds;
	const limits = [
		{ field: "startupTimeoutSec", most: startup },
		{ field: "startupTimeoutMs", most: startup * 1000 },
		{ field: "toolTimeoutSec", most: tool },
	] as const;
	return limits
		.filter(({ field, most }) => (server[field] ?? 0) > most)
		.map(({ field, most }) => ({
			severity: "warning",
			code: "config.longTimer",
			message: `This is more than ${most}, which is the most; ${most} is used.`,
			path: [field],
		}));
}
