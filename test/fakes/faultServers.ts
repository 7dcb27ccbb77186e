import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { messageOf } from "../../src/core/base/errors.ts";
import type { McpServerFields } from "../../src/core/config/mcpServerFields.ts";
import { hashMcpServer } from "../../src/core/mcp/hashMcpServer.ts";
import { type McpLease, McpPool } from "../../src/core/mcp/mcpPool.ts";
import type { McpServer } from "../../src/core/mcp/mcpServers.ts";
import { serverType } from "../../src/core/config/mcpServerFields.ts";
import { type Clock, systemClock } from "../../src/core/ports/clock.ts";
import type { Secrets } from "../../src/core/ports/secrets.ts";
import type { SignInBrowser } from "../../src/core/ports/signInBrowser.ts";
import { type ProcessHandle, ProcessGroups } from "../../src/core/processes/processGroup.ts";
import { RecordingLogger } from "./recordingLogger.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

const folder = path.dirname(fileURLToPath(import.meta.url));

/** A server as configured. */
export function aServer(fields: McpServerFields, rest: Partial<McpServer> = {}): McpServer {
	return {
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
		...rest,
	};
}

/** A server over standard input and output that has these faults. */
export function aFaultServer(
	faults: readonly string[],
	fields: McpServerFields = {},
	rest: Partial<McpServer> = {},
): McpServer {
	return aServer(
		{ command: process.execPath, args: [path.join(folder, "faultServer.ts"), ...faults], ...fields },
		rest,
	);
}

/** A real server of the package, by the file that it starts with. */
export function aPackagedServer(
	name: string,
	args: readonly string[] = [],
	fields: McpServerFields = {},
	rest: Partial<McpServer> = {},
): McpServer {
	const file = path.join(folder, `../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
	return aServer({ command: process.execPath, args: [file, ...args], ...fields }, { name, ...rest });
}

export interface PoolOptions {
	readonly clock?: Clock;
	readonly environment?: Readonly<Record<string, string | undefined>>;
	readonly idleMs?: number;
	readonly secrets?: Secrets;
	readonly browser?: SignInBrowser;
}

/** Tells which processes it has started. */
class ListedGroups extends ProcessGroups {
	readonly pids: number[] = [];

	override async start(...given: Parameters<ProcessGroups["start"]>): Promise<ProcessHandle> {
		const handle = await super.start(...given);
		this.pids.push(handle.pid);
		return handle;
	}
}

export interface TestPool {
	readonly pool: McpPool;
	readonly processes: ListedGroups;
	readonly use: (server: McpServer) => Promise<McpLease>;
}

/** A pool of the running test's own. Whatever it started is gone when the test is, or the test fails. */
export function aPool({ clock = systemClock, environment = process.env, ...rest }: PoolOptions = {}): TestPool {
	const processes = new ListedGroups({ clock: systemClock, graceMs: 300 });
	const logger = new RecordingLogger();
	const pool = new McpPool({
		clock,
		processes,
		logger,
		environment,
		version: "1.0.0",
		...rest,
	});
	const place = { folder: temporaryFolder(), roots: [] };
	onTestFinished(async () => {
		await pool.close();
		expect(processes.size).toBe(0);
		await processes.close();
	});
	return { pool, processes, use: (server) => pool.acquire(server, place) };
}

/** A file in which a fault server writes down what befalls it. */
export function aFaultLog(): { readonly argument: string; readonly read: () => readonly string[] } {
	const file = path.join(temporaryFolder({ log: "" }), "log");
	return { argument: `log=${file}`, read: () => readFileSync(file, "utf8").split("\n").filter(Boolean) };
}

/** Starts a server over HTTP; resolves with its address, from the port that it prints. */
export async function aFaultHttpServer(...faults: readonly string[]): Promise<{ url: string; child: ChildProcess }> {
	const child = spawn(process.execPath, [path.join(folder, "faultHttpServer.ts"), ...faults], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
	return { url: `http://127.0.0.1:${port}/mcp`, child };
}

/** Waits for something to fail, and tells why. Listens from now on, so that other things can happen before it is awaited. */
export function failureOf(promise: Promise<unknown>): Promise<string> {
	return promise.then(
		() => "it did not fail",
		(error: unknown) => messageOf(error),
	);
}
