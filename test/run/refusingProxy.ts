import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface RefusingProxy {
	readonly url: string;
	/** The addresses that were asked for, in order, each time. */
	readonly attempts: readonly string[];
	close(): Promise<void>;
}

/** A proxy on this machine that lets nothing through and remembers who was asked for. */
export async function startRefusingProxy(): Promise<RefusingProxy> {
	const attempts: string[] = [];
	const server = http.createServer((request, response) => {
		attempts.push(request.url ?? "");
		response.writeHead(403).end("The tests do not go out.");
	});
	server.on("connect", (request, socket) => {
		attempts.push(request.url ?? "");
		socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	// TCP servers have an address of this form
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		attempts,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}
