import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface ForwardingProxy {
	readonly url: string;
	/** Who was asked for, in order: an address, or the host and port of a tunnel. */
	readonly asked: readonly string[];
}

/** A proxy that brings every request and every tunnel, whatever it is for, to one server of this machine. */
export async function aForwardingProxy(target: URL): Promise<ForwardingProxy> {
	const asked: string[] = [];
	const { hostname, port } = target;
	const sockets = new Set<net.Socket>();
	const server = http.createServer((incoming, response) => {
		asked.push(incoming.url ?? "");
		const { pathname, search } = new URL(incoming.url ?? "", target);
		const { method, headers } = incoming;
		const forwarded = http.request({ hostname, port, path: pathname + search, method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		forwarded.on("error", () => response.destroy());
		incoming.pipe(forwarded);
	});
	server.on("connect", (request, socket: net.Socket) => {
		asked.push(request.url ?? "");
		const tunnel = net.connect(Number(port), hostname, () => {
			socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
			tunnel.pipe(socket).pipe(tunnel);
		});
		for (const end of [tunnel, socket]) {
			sockets.add(end);
			end.on("error", () => undefined);
			end.on("close", () => {
				tunnel.destroy();
				socket.destroy();
			});
		}
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.closeAllConnections();
		server.close();
	});
	// TCP servers have an address of this form
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
