import { BugError, messageOf } from "../base/errors.ts";
import { Emitter } from "../base/event.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { noSecrets, type Secrets } from "../ports/secrets.ts";
import type { SignInBrowser } from "../ports/signInBrowser.ts";
import type { ProcessGroups } from "../processes/processGroup.ts";
import type { ToolResult } from "../tools/tool.ts";
import { type LaunchPlace, type LaunchPlan, planLaunch } from "./launchPlan.ts";
import { isToolOffered, type McpServer } from "./mcpServers.ts";
import { type McpHealth, PooledServer } from "./pooledServer.ts";
import { readServerSecrets } from "./serverSecrets.ts";
import { ServerSignIn } from "./serverSignIn.ts";
import { signInPlace } from "./signInRecord.ts";
import type { ServerTool, ToolListing } from "./serverTool.ts";

export interface McpPoolOptions {
	readonly clock: Clock;
	readonly processes: ProcessGroups;
	readonly logger: Logger;
	/** The host's own, of which servers get little. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** What people have moved out of files. Default: nothing. */
	readonly secrets?: Secrets;
	/** Where a person can sign in. */
	readonly browser?: SignInBrowser;
	/** Ours, which servers are told. */
	readonly version: string;
	/** How long a server stays that nobody holds. Default 60 s. */
	readonly idleMs?: number;
}

/** One run's share of a server. */
export interface McpLease {
	readonly server: McpServer;
	/** Names the server in the pool. */
	readonly id: string;
	/** What a person must have agreed to before the lease is used, if `server.needsConsent`. The pool does not ask. */
	readonly consentHash: string;
	/** Those that the configuration offers, started for it. Rejects with a problem when the server does not work. */
	tools(signal?: AbortSignal): Promise<ToolListing>;
	/** Rejects with a problem; with the signal's reason once that is aborted. */
	call(tool: string, input: Readonly<Record<string, unknown>>, options?: LeaseCallOptions): Promise<ToolResult>;
	release(): void;
}

export interface LeaseCallOptions {
	readonly signal?: AbortSignal | undefined;
	/** Of the tool as it was offered. */
	readonly hash?: string | undefined;
}

/** No more tools of one server are offered: a model that sees hundreds finds none. */
const maxTools = 64;
const defaultIdleMs = 60_000;

/** The servers of this process. Those that are the same to the byte are one, however many runs use them. */
export class McpPool {
	readonly #options: McpPoolOptions;
	readonly #servers = new Map<string, PooledServer>();
	readonly #changed: Emitter<McpHealth>;
	#isClosed = false;

	constructor(options: McpPoolOptions) {
		this.#options = options;
		const { logger } = options;
		this.#changed = new Emitter((error) =>
			logger.error("A listener of the MCP pool failed", { reason: messageOf(error) }),
		);
	}

	get onDidChange(): Emitter<McpHealth>["event"] {
		return this.#changed.event;
	}

	get servers(): readonly McpHealth[] {
		return Array.from(this.#servers.values(), ({ health }) => health);
	}

	/** Starts nothing yet. What is wrong with the server comes out when it is used. */
	async acquire(server: McpServer, place: LaunchPlace): Promise<McpLease> {
		const { environment, secrets = noSecrets } = this.#options;
		const { name, fields, provenance } = server;
		const { file } = provenance;
		const kept = file === undefined ? {} : await readServerSecrets({ name, file, fields }, secrets);
		const plan = await planLaunch(server, place, environment, kept);
		if (this.#isClosed) throw new BugError("No server can be used any more: Muster is closing");
		this.#forgetUnused(server.name, plan.key);
		const pooled = this.#servers.get(plan.key) ?? this.#add(server, plan);
		pooled.hold();
		let isReleased = false;
		return {
			server,
			id: plan.key,
			consentHash: plan.consentHash,
			tools: async (signal) => offer(await pooled.listing(signal), server),
			async call(tool, input, { signal, hash } = {}) {
				if (isReleased) throw new BugError("A lease was used after its release");
				return pooled.call(tool, input, { timeoutMs: server.toolTimeoutMs, signal, hash });
			},
			release() {
				if (!isReleased) pooled.letGo();
				isReleased = true;
			},
		};
	}

	/** Rejects with the problem when it does not start. */
	async restart(id: string): Promise<void> {
		await this.#servers.get(id)?.restart();
	}

	async stop(id: string): Promise<void> {
		await this.#servers.get(id)?.stop();
	}

	/** A person signs in, and the server starts with that. Rejects with the problem. */
	async signIn(id: string, signal?: AbortSignal): Promise<void> {
		await this.#servers.get(id)?.signIn(signal);
	}

	async signOut(id: string): Promise<void> {
		await this.#servers.get(id)?.signOut();
	}

	/** Resolves when nothing is left of any server. */
	async close(): Promise<void> {
		this.#isClosed = true;
		await Promise.all(Array.from(this.#servers.values(), (server) => server.close()));
		this.#changed.dispose();
	}

	#add(server: McpServer, plan: LaunchPlan): PooledServer {
		const { name, startupTimeoutMs } = server;
		const { clock, processes, version, idleMs = defaultIdleMs } = this.#options;
		const onChanged = () => this.#changed.fire(pooled.health);
		const signIn = this.#createSignIn(server, plan);
		const own = { name, plan, startupTimeoutMs, ...(signIn && { signIn }) };
		const pooled = new PooledServer({ ...own, clock, processes, version, idleMs, onChanged });
		this.#servers.set(plan.key, pooled);
		return pooled;
	}

	#createSignIn(
		{ name, fields, provenance, takesSignIn }: McpServer,
		{ target }: LaunchPlan,
	): ServerSignIn | undefined {
		const { file } = provenance;
		if (!takesSignIn || target.kind !== "address" || file === undefined) return undefined;
		const { secrets = noSecrets, clock, browser } = this.#options;
		const { url } = target.address;
		return new ServerSignIn({ name, url, fields, place: signInPlace(file, name, url), secrets, clock, browser });
	}

	/** What the server was before its configuration changed. */
	#forgetUnused(name: string, key: string): void {
		for (const [other, pooled] of Array.from(this.#servers)) {
			if (other !== key && pooled.isUnused && pooled.health.name === name) this.#servers.delete(other);
		}
	}
}

/** What the configuration leaves of a server's tools, by the server's own names. */
function offer({ tools, problems }: ToolListing, { fields }: McpServer): ToolListing {
	const isOffered = ({ name }: Pick<ServerTool, "name">) => isToolOffered(fields, name);
	const offered = tools.filter(isOffered);
	const names = new Set([...tools.map(({ name }) => name), ...problems.map(({ tool }) => tool)]);
	const missing = (fields.enabledTools ?? []).filter((name) => !names.has(name));
	return {
		tools: offered.slice(0, maxTools),
		problems: [
			...problems.filter(({ tool }) => isToolOffered(fields, tool)),
			...missing.map((tool) => ({ tool, reason: "enabled_tools names it, and the server does not have it" })),
			...offered
				.slice(maxTools)
				.map(({ name: tool }) => ({ tool, reason: `it is beyond the first ${maxTools} tools` })),
		],
	};
}
