import * as z from "zod";
import { count, flag, listOf, mapOf, names, oneOf, table, text, variableName } from "./configFields.ts";

const approvalMode = oneOf("auto", "prompt", "writes", "approve");
const timeout = z.number("must be a number of seconds").min(0, "must not be negative");
const onOneLine = /^[\P{Cc}\t]*$/u;
const longestText = 8192;

const program = z.string("must be text").trim().min(1, "must not be empty").regex(onOneLine, "must be on one line");
const argument = z
	.string("must be text")
	.max(longestText, "must be at most 8 KB long")
	.refine((value) => !value.includes("\0"), "must not contain a NUL");
const environmentValue = z
	.string("must be text")
	.max(longestText, "must be at most 8 KB long")
	.regex(onOneLine, "must be on one line");
const header = z.string("must be text").regex(onOneLine, "must be on one line");

const writtenType = z
	.string("must be stdio, http or sse")
	.trim()
	.toLowerCase()
	.pipe(z.enum(["stdio", "http", "streamable-http", "streamable_http", "sse"], "must be stdio, http or sse"))
	.meta({
		enum: ["stdio", "http", "sse"],
		description: "How to talk to the server. Mostly not needed: `command` means stdio, `url` means http.",
	});

/** `[mcp_servers.<name>]`, with seed 000's fields and Codex's. What the fields mean together is `findServerProblems`'s. */
export const McpServerFields = table({
	type: z.exactOptional(writtenType),
	command: z.exactOptional(
		program.meta({ description: "The program to start. Its tools come over standard input and output." }),
	),
	args: z.exactOptional(listOf(argument, "texts").meta({ description: "The program's arguments, each as it is." })),
	env: z.exactOptional(
		mapOf(environmentValue).meta({ description: "Variables for the program. No secrets: name those in `env_vars`." }),
	),
	envVars: z.exactOptional(
		listOf(
			z.union(
				[variableName, table({ name: variableName, source: z.exactOptional(oneOf("local", "remote")) })],
				"must be names of variables",
			),
			"variables",
		).meta({
			description: "Variables of this machine that the program gets too.",
		}),
	),
	cwd: z.exactOptional(text.meta({ description: "The folder in which the program starts." })),
	url: z.exactOptional(
		text.meta({ description: "The address of a server on the network: https, or http on this machine." }),
	),
	bearerTokenEnvVar: z.exactOptional(
		variableName.meta({ description: "The environment variable with the token for `Authorization: Bearer`." }),
	),
	httpHeaders: z.exactOptional(
		mapOf(header).meta({ description: "Headers for every request. No secrets: name those in `env_http_headers`." }),
	),
	envHttpHeaders: z.exactOptional(
		mapOf(variableName).meta({ description: "Headers whose values are in environment variables." }),
	),
	httpHeadersHelper: z.exactOptional(text.meta({ description: "A command that prints headers as JSON." })),
	auth: z.exactOptional(oneOf("oauth", "chatgpt").meta({ description: "How to sign in where no token is given." })),
	scopes: z.exactOptional(names.meta({ description: "OAuth scopes to ask for." })),
	oauth: z.exactOptional(
		table({ clientId: z.exactOptional(text), callbackPort: z.exactOptional(count.max(65_535, "must be a port")) }),
	),
	oauthResource: z.exactOptional(text.meta({ description: "The OAuth resource (RFC 8707)." })),
	environmentId: z.exactOptional(text.meta({ description: "Where the server is started; only `local` is known." })),
	enabled: z.exactOptional(flag.meta({ description: "`false` keeps the server from being used. Default: true." })),
	required: z.exactOptional(flag.meta({ description: "Whether a run fails when the server can't be started." })),
	startupTimeoutSec: z.exactOptional(
		timeout.meta({ description: "How long the server may take to start. Default 30, at most 120." }),
	),
	startupTimeoutMs: z.exactOptional(
		timeout.meta({ description: "The same in milliseconds; `startup_timeout_sec` counts if both are there." }),
	),
	toolTimeoutSec: z.exactOptional(
		timeout.meta({ description: "How long one call of a tool may take. Default 300, at most 600." }),
	),
	enabledTools: z.exactOptional(names.meta({ description: "Only these tools are offered." })),
	disabledTools: z.exactOptional(
		names.meta({ description: "These tools are not offered, even if they are enabled too." }),
	),
	defaultToolsApprovalMode: z.exactOptional(
		approvalMode.meta({ description: "When calls of its tools are asked about." }),
	),
	tools: z.exactOptional(
		mapOf(table({ approvalMode: z.exactOptional(approvalMode) })).meta({ description: "Settings of single tools." }),
	),
	supportsParallelToolCalls: z.exactOptional(
		flag.meta({ description: "Whether tools may be called at the same time." }),
	),
	omitToolsFrom: z.exactOptional(
		listOf(oneOf("code_mode", "deferred", "direct"), "surfaces").meta({
			description: "Where its tools are not shown.",
		}),
	),
	name: z.exactOptional(text.meta({ description: "Not used: the name is the table's." })),
});
export type McpServerFields = Readonly<z.infer<typeof McpServerFields>>;

/** Who says one of these says where to connect, with what; so it replaces a server of that name as a whole. */
export const connectionFields = [
	"type",
	"command",
	"args",
	"env",
	"envVars",
	"cwd",
	"url",
	"bearerTokenEnvVar",
	"httpHeaders",
	"envHttpHeaders",
	"httpHeadersHelper",
	"auth",
	"scopes",
	"oauth",
	"oauthResource",
	"environmentId",
] as const satisfies readonly (keyof McpServerFields)[];

/** Whether the entry only changes a server that a lower layer defines. */
export function isPatch(server: McpServerFields): boolean {
	return connectionFields.every((field) => server[field] === undefined);
}

export type McpServerType = "stdio" | "http" | "sse";

/** What is said, else what follows: a program is stdio; an address is streamable HTTP, which falls back to SSE. */
export function serverType({ type, command }: McpServerFields): McpServerType {
	if (type === "stdio" || type === "sse") return type;
	return type === undefined && command !== undefined ? "stdio" : "http";
}
