// Asks fault servers for 200 MB, over each transport, and writes by how many MB the memory of this process rose at most.
// A process of its own, because memory that was once needed for something else hides a rise.
import path from "node:path";
import { McpPool } from "../../src/core/mcp/mcpPool.ts";
import { systemClock } from "../../src/core/ports/clock.ts";
import { ProcessGroups } from "../../src/core/processes/processGroup.ts";
import type { McpServer } from "../../src/core/mcp/mcpServers.ts";
import { hashMcpServer } from "../../src/core/mcp/hashMcpServer.ts";
import { type McpServerFields, serverType } from "../../src/core/config/mcpServerFields.ts";

const [url = "", as = ""] = process.argv.slice(2);
const program = { command: process.execPath, args: [path.join(import.meta.dirname, "faultServer.ts")] };
const fields: McpServerFields = url === "stdio" ? program : { url };
const server: McpServer = {
	name: "srv",
	type: serverType(fields),
	isEnabled: true,
	isUsable: true,
	needsConsent: false,
	takesSignIn: false,
	hash: hashMcpServer(fields),
	fields,
	startupTimeoutMs: 20_000,
	toolTimeoutMs: 20_000,
	provenance: new Map() as unknown as McpServer["provenance"],
	problems: [],
};
const processes = new ProcessGroups({ clock: systemClock, graceMs: 300 });
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const pool = new McpPool({ clock: systemClock, processes, logger, environment: process.env, version: "1.0.0" });
const lease = await pool.acquire(server, { folder: process.cwd(), roots: [] });
await lease.call("echo", {});
const before = process.resourceUsage().maxRSS;
const reason = await lease.call("large", { as }).then(
	() => "it was taken",
	(error: Error) => error.message,
);
console.log(JSON.stringify({ rise: Math.round((process.resourceUsage().maxRSS - before) / 1024), reason }));
await pool.close();
