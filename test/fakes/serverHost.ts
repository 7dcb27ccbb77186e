/** A process with a pool that holds one server, on a store folder; made to be killed. Says when the server answers. */
import { McpPool } from "../../src/core/mcp/mcpPool.ts";
import type { McpServer } from "../../src/core/mcp/mcpServers.ts";
import { systemClock } from "../../src/core/ports/clock.ts";
import { ProcessGroups } from "../../src/core/processes/processGroup.ts";

const [, , storeFolder = "", server = ""] = process.argv;
const logger = { info: () => undefined, warn: () => undefined, error: console.error };
const processes = new ProcessGroups({ clock: systemClock, storeFolder });
const pool = new McpPool({ clock: systemClock, processes, logger, environment: process.env, version: "1.0.0" });
const lease = await pool.acquire(JSON.parse(server) as McpServer, { folder: storeFolder, roots: [] });
await lease.call("echo", {});
process.send?.("ready");
