import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { messageOf, ProblemError } from "../base/errors.ts";
import { shorten } from "../tools/shorten.ts";
import type { ToolResult } from "../tools/tool.ts";
import { withDeadline } from "../ports/withDeadline.ts";
import { Unreachable } from "./httpFetch.ts";
import { hideSecrets, type LaunchPlan } from "./launchPlan.ts";
import { createLinks, lostCode, type LinkOptions, mayBeOlder, type McpLink, noSdkTimeout } from "./mcpLink.ts";
import { SignInNeeded } from "./serverSignIn.ts";
import { readServerTools, type ToolListing } from "./serverTool.ts";
import { CallResult, toToolResult } from "./toolResultText.ts";

const maxPages = 50;
const maxListed = 1_000;
const maxMessage = 2_000;

const connectionClosed: number = ErrorCode.ConnectionClosed;

const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

export interface ConnectionOptions extends LinkOptions {
	/** As the configuration calls it. */
	readonly name: string;
	readonly plan: LaunchPlan;
	readonly startupTimeoutMs: number;
	/** Ends the start. */
	readonly signal?: AbortSignal;
}

export interface CallOptions {
	readonly timeoutMs: number;
	readonly signal?: AbortSignal | undefined;
}

interface Request<Answer> {
	readonly method: string;
	readonly params: Record<string, unknown>;
	readonly schema: z.ZodType<Answer>;
}

/** One server that runs and has said hello. Fails with problems; after an end that was not asked for, with each call. */
export class McpConnection {
	readonly #options: ConnectionOptions;
	#link: McpLink;
	/** How many answers each link waits for. */
	readonly #waiting = new Map<McpLink, number>();
	#reopening: Promise<void> | undefined;
	#isClosed = false;

	private constructor(options: ConnectionOptions, link: McpLink) {
		this.#options = options;
		this.#link = link;
	}

	/** Leaves nothing behind when it fails. `onStderr` hears what the server said for people, also then. */
	static async open(options: ConnectionOptions, onStderr: (tail: string) => void): Promise<McpConnection> {
		return new McpConnection(options, await openLink(options, onStderr));
	}

	get stderrTail(): string {
		return hideSecrets(this.#link.stderrTail, secretsOf(this.#options));
	}

	/** All its tools; those that can't be offered are named and hide no other. */
	async listTools(signal?: AbortSignal): Promise<ToolListing> {
		if (this.#link.client.getServerCapabilities()?.tools === undefined) return { tools: [], problems: [] };
		const found: unknown[] = [];
		const cursors = new Set<string>();
		let cursor: string | undefined;
		for (let page = 0; page < maxPages && found.length < maxListed; page++) {
			const params = cursor === undefined ? {} : { cursor };
			const request = { method: "tools/list", params, schema: ToolPage };
			const { tools, nextCursor } = await this.#request(request, { timeoutMs: this.#options.startupTimeoutMs, signal });
			found.push(...tools);
			if (nextCursor === undefined || cursors.has(nextCursor)) break;
			cursors.add((cursor = nextCursor));
		}
		const { tools, problems } = readServerTools(found.slice(0, maxListed));
		const tooMany = { tool: "(the rest)", reason: `the server has more than ${maxListed} tools` };
		return { tools, problems: found.length > maxListed ? [...problems, tooMany] : problems };
	}

	async call(tool: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<ToolResult> {
		const params = { name: tool, arguments: input };
		return toToolResult(await this.#request({ method: "tools/call", params, schema: CallResult }, options));
	}

	/** Resolves when nothing is left of it. */
	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#reopening?.catch(() => undefined);
		const replaced = Array.from(this.#waiting.keys()).filter((link) => link !== this.#link);
		await Promise.all([this.#link.close(), ...replaced.map(({ client }) => client.close())]);
	}

	async #request<Answer>(request: Request<Answer>, { timeoutMs, signal }: CallOptions): Promise<Answer> {
		const { clock, name } = this.#options;
		const late = () =>
			new ProblemError({
				code: "mcp.timeout",
				message: `The MCP server "${name}" gave no answer within ${timeoutMs / 1000} s. Whether it did its work is not known`,
			});
		try {
			return await withDeadline((within) => this.#send(request, within), { clock, ms: timeoutMs, signal, late });
		} catch (error) {
			if (signal?.aborted) throw error;
			throw this.#explain(error, this.#link);
		}
	}

	/** A server that has forgotten our session, because it was started again, gets one new hello. */
	async #send<Answer>(request: Request<Answer>, signal: AbortSignal): Promise<Answer> {
		const link = this.#link;
		try {
			return await this.#ask(link, request, signal);
		} catch (error) {
			const hasForgotten = error instanceof StreamableHTTPError && (error.code === 400 || error.code === 404);
			if (!hasForgotten || link.sessionId === undefined || this.#isClosed || signal.aborted) throw error;
			await this.#reopen(link);
			return this.#ask(this.#link, request, signal);
		}
	}

	/** A link that was replaced goes with the last answer that it waits for. */
	async #ask<Answer>(link: McpLink, request: Request<Answer>, signal: AbortSignal): Promise<Answer> {
		const { method, params, schema } = request;
		this.#waiting.set(link, (this.#waiting.get(link) ?? 0) + 1);
		try {
			return await link.client.request({ method, params }, schema, { signal, timeout: noSdkTimeout });
		} finally {
			const left = (this.#waiting.get(link) ?? 1) - 1;
			if (left > 0) this.#waiting.set(link, left);
			else this.#waiting.delete(link);
			if (left === 0 && link !== this.#link) await link.client.close();
		}
	}

	/** Many calls may find out at the same time. */
	async #reopen(old: McpLink): Promise<void> {
		if (this.#link !== old) return;
		this.#reopening ??= (async () => {
			this.#link = await openLink(this.#options, () => undefined);
			if (!this.#waiting.has(old)) await old.client.close();
		})().finally(() => (this.#reopening = undefined));
		await this.#reopening;
	}

	#explain(error: unknown, link: McpLink): Error {
		const { name } = this.#options;
		if (error instanceof ProblemError) return error;
		const hide = (text: string) => shorten(hideSecrets(text, secretsOf(this.#options)), maxMessage);
		const problem = (code: string, text: string) => new ProblemError({ code, message: hide(text) }, { cause: error });
		// Servers use this code for what they like.
		const isOver = link.endReason !== undefined || this.#isClosed;
		const unknown = "Whether it did its work is not known";
		if (error instanceof McpError && error.code === connectionClosed && isOver) {
			return problem(
				"mcp.ended",
				`The MCP server "${name}" ended during the call: ${link.endReason ?? "it was stopped"}. ${unknown}`,
			);
		}
		if (error instanceof McpError && error.code === lostCode) {
			return problem("mcp.lost", `There is no answer of the MCP server "${name}": ${plainMessage(error)}. ${unknown}`);
		}
		if (link.endReason !== undefined) {
			return problem("mcp.ended", `The MCP server "${name}" does not run any more: ${link.endReason}`);
		}
		if (error instanceof Unreachable) return problem("mcp.unreachable", `The MCP server "${name}": ${error.message}`);
		if (error instanceof z.core.$ZodError)
			return problem("mcp.badAnswer", `The MCP server "${name}" gave an answer that can't be read`);
		return problem("mcp.refused", `The MCP server "${name}" refused: ${plainMessage(error)}`);
	}
}

/** Says hello in one way after the other, while the server may speak another one. */
async function openLink(options: ConnectionOptions, onStderr: (tail: string) => void): Promise<McpLink> {
	const { plan, name, clock, startupTimeoutMs, signal: outer } = options;
	if (plan.target.kind === "none") throw new ProblemError(plan.target.problem);
	const late = () =>
		new ProblemError({
			code: "mcp.startTimeout",
			message: `The MCP server "${name}" was not ready within ${startupTimeoutMs / 1000} s. It was stopped; startup_timeout_sec gives it more`,
		});
	let first: unknown;
	for (const create of createLinks(plan.target, options)) {
		const link = create();
		try {
			await withDeadline((signal) => link.open(signal), { clock, ms: startupTimeoutMs, late, signal: outer });
			return link;
		} catch (error) {
			// Also what never said hello has to go.
			await link.close();
			const stderr = hideSecrets(link.stderrTail, secretsOf(options));
			onStderr(stderr);
			first ??= explainStart(error, link, stderr, options);
			if (!mayBeOlder(error)) break;
		}
	}
	throw first;
}

function explainStart(
	error: unknown,
	{ endReason, needsSignIn }: McpLink,
	stderr: string,
	options: ConnectionOptions,
): Error {
	const { name, signIn } = options;
	if (signIn && needsSignIn) return new SignInNeeded(signIn.problem);
	if (error instanceof ProblemError) return error;
	// One that we have stopped because it failed did not fail because it stopped.
	const hasEnded = error instanceof McpError && error.code === connectionClosed;
	const reason = hasEnded && endReason !== undefined ? endReason : plainMessage(error);
	const last = stderr.trimEnd().split("\n").slice(-3).join("\n");
	const text = `The MCP server "${name}" can't be used: ${reason}${last === "" ? "" : `\n${last}`}`;
	const message = shorten(hideSecrets(text, secretsOf(options)), maxMessage);
	return new ProblemError({ code: "mcp.startFailed", message }, { cause: error });
}

/** What no message may show: values of variables, and tokens. */
function secretsOf({ plan, signIn }: ConnectionOptions): readonly string[] {
	return [...plan.secrets, ...(signIn?.secrets ?? [])];
}

/** Without the SDK's own words before it. */
function plainMessage(error: unknown): string {
	if (error instanceof StreamableHTTPError && (error.code === 401 || error.code === 403)) {
		return `it does not let us in (HTTP ${error.code}). Check the token in the variable that the configuration names`;
	}
	return messageOf(error).replace(/^MCP error -?\d+: /u, "");
}
