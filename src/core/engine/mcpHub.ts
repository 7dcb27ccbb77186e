import { Emitter, type Event } from "../base/event.ts";
import type { LaunchPlace } from "../mcp/launchPlan.ts";
import type { McpLease, McpPool } from "../mcp/mcpPool.ts";
import type { McpServer } from "../mcp/mcpServers.ts";
import type { McpHealth } from "../mcp/pooledServer.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { ProblemError } from "../base/errors.ts";
import type { Secrets } from "../ports/secrets.ts";
import type { SignInBrowser } from "../ports/signInBrowser.ts";
import type { Database } from "../store/database.ts";
import type { ProcessGroups } from "../processes/processGroup.ts";

export interface McpHubOptions {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly database: Database;
	readonly processes: ProcessGroups;
	readonly secrets?: Secrets;
	readonly signInBrowser?: SignInBrowser;
	onError(error: unknown): void;
}

/** The MCP servers of this process. Everything of the protocol is loaded when the first run wants a server. */
export class McpHub {
	readonly #options: McpHubOptions;
	readonly #changed: Emitter<void>;
	#opening: Promise<McpPool> | undefined;
	#pool: McpPool | undefined;
	#isClosed = false;

	/** How a server does has changed. */
	readonly onDidChange: Event<void>;

	constructor(options: McpHubOptions) {
		this.#options = options;
		this.#changed = new Emitter((error) => options.onError(error));
		this.onDidChange = this.#changed.event;
	}

	get servers(): readonly McpHealth[] {
		return this.#pool?.servers ?? [];
	}

	async acquire(server: McpServer, place: LaunchPlace): Promise<McpLease> {
		return (await this.#open()).acquire(server, place);
	}

	async restart(id: string): Promise<void> {
		await this.#pool?.restart(id);
	}

	/** A server that a folder brings is asked about again before it is started. */
	async forgetConsent(server: string): Promise<void> {
		await this.#options.database.call("revokeConsent", { server, at: this.#options.clock.now() });
	}

	/** A person signs in to a server, used by a run or not. One that a folder brings has to be allowed before. */
	async signIn(server: McpServer, signal?: AbortSignal): Promise<void> {
		const lease = await this.acquire(server, nowhere);
		try {
			const isKnown =
				!server.needsConsent || (await this.#options.database.call("hasConsent", { hash: lease.consentHash }));
			if (!isKnown) throw notAllowed(server.name);
			await this.#pool?.signIn(lease.id, signal);
		} finally {
			lease.release();
		}
	}

	async signOut(server: McpServer): Promise<void> {
		const lease = await this.acquire(server, nowhere);
		await this.#pool?.signOut(lease.id).finally(() => lease.release());
	}

	async stop(id: string): Promise<void> {
		await this.#pool?.stop(id);
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await (await this.#opening)?.close();
		this.#changed.dispose();
	}

	#open(): Promise<McpPool> {
		this.#opening ??= this.#load();
		return this.#opening;
	}

	async #load(): Promise<McpPool> {
		const { McpPool } = await import("../mcp/mcpPool.ts");
		const { clock, logger, processes, secrets, signInBrowser: browser } = this.#options;
		const own = { clock, logger, processes, ...(secrets && { secrets }), ...(browser && { browser }) };
		const pool = new McpPool({ ...own, environment: process.env, version: "0.1.0" });
		if (this.#isClosed) await pool.close();
		pool.onDidChange(() => this.#changed.fire());
		this.#pool = pool;
		return pool;
	}
}

/** An address is the same from everywhere. */
const nowhere: LaunchPlace = { folder: "/", roots: [] };

function notAllowed(server: string): ProblemError {
	const message = `The MCP server "${server}" comes with the folder and has not been allowed yet. You are asked when a run first wants it; sign in after that.`;
	return new ProblemError({ code: "mcp.notAllowed", message });
}
