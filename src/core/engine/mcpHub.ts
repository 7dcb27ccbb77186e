import { Emitter, type Event } from "../base/event.ts";
import type { LaunchPlace } from "../mcp/launchPlan.ts";
import type { McpLease, McpPool } from "../mcp/mcpPool.ts";
import type { McpServer } from "../mcp/mcpServers.ts";
import type { McpHealth } from "../mcp/pooledServer.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Database } from "../store/database.ts";
import type { ProcessGroups } from "../processes/processGroup.ts";

export interface McpHubOptions {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly database: Database;
	readonly processes: ProcessGroups;
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
		const { clock, logger, processes } = this.#options;
		const pool = new McpPool({ clock, logger, processes, environment: process.env, version: "0.1.0" });
		if (this.#isClosed) await pool.close();
		pool.onDidChange(() => this.#changed.fire());
		this.#pool = pool;
		return pool;
	}
}
