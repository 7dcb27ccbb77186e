/** The package that knows everything of the protocol, over the network. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { projectRoot } from "../vscode/paths.ts";

const file = path.join(projectRoot, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");

export interface EverythingServer {
	readonly url: string;
	readonly port: number;
	readonly child: ChildProcess;
	/** Resolves when it is gone; nothing is told to it. */
	kill(): Promise<void>;
}

/** Resolves when it listens; on a port of its own, or again on the one that another has left. */
export async function everythingOver(protocol: "streamableHttp" | "sse", at?: number): Promise<EverythingServer> {
	const port = at ?? (await freePort());
	const child = spawn(process.execPath, [file, protocol], {
		env: { ...process.env, PORT: String(port) },
		stdio: ["ignore", "ignore", "pipe"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const url = `http://127.0.0.1:${port}/${protocol === "sse" ? "sse" : "mcp"}`;
	const kill = async () => {
		child.kill("SIGKILL");
		await once(child, "exit");
	};
	for await (const line of createInterface({ input: child.stderr })) {
		if (/running|listening/u.test(line)) return { url, port, child, kill };
	}
	throw new Error("The server has ended");
}

export async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, "close");
	return port;
}
