import { once } from "node:events";
import { readFileSync } from "node:fs";
import http, { type IncomingMessage, type RequestListener } from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { WebAccess } from "../../src/core/ports/webAccess.ts";
import { projectRoot } from "../vscode/paths.ts";

export const certificateFile = path.join(projectRoot, "test/fixtures/web/certificate.pem");
const keyFile = path.join(projectRoot, "test/fixtures/web/key.pem");

/** A web as the tools see it: public addresses, behind which are servers of this machine. */
export class PublicWeb implements WebAccess {
	/** Every connection that was asked for, as `address:port`. */
	readonly connections: string[] = [];
	readonly requests: { readonly host: string; readonly path: string; readonly headers: IncomingMessage["headers"] }[] =
		[];
	readonly #names = new Map<string, readonly string[]>();
	readonly #ports = new Map<string, number>();
	readonly #resolve: WebAccess["resolve"] | undefined;

	/** Names are looked up in a table, or by what is given. */
	constructor(resolve?: WebAccess["resolve"]) {
		this.#resolve = resolve;
	}

	name(hostname: string, ...addresses: readonly string[]): void {
		this.#names.set(hostname, addresses);
	}

	/** A server that seems to be at `address:port`. */
	async serve(place: string, answer: RequestListener, isSecure = false): Promise<void> {
		const listener: RequestListener = (request, response) => {
			this.requests.push({ host: request.headers.host ?? "", path: request.url ?? "", headers: request.headers });
			answer(request, response);
		};
		const server = isSecure
			? https.createServer({ key: readFileSync(keyFile), cert: readFileSync(certificateFile) }, listener)
			: http.createServer(listener);
		await this.serveWith(place, server);
		onTestFinished(() => server.closeAllConnections());
	}

	/** The same with a server that speaks anything. */
	async serveWith(place: string, server: net.Server): Promise<void> {
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		this.#ports.set(place, (server.address() as AddressInfo).port);
		onTestFinished(() => void server.close());
	}

	/** Where it really listens. */
	portOf(place: string): number {
		const port = this.#ports.get(place);
		if (port === undefined) throw new Error(`Nothing serves ${place}`);
		return port;
	}

	async resolve(hostname: string): Promise<readonly string[]> {
		if (this.#resolve) return this.#resolve(hostname);
		const addresses = this.#names.get(hostname);
		if (addresses === undefined) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
		return addresses;
	}

	connect(address: string, port: number): net.Socket {
		const place = `${address}:${port}`;
		this.connections.push(place);
		const local = this.#ports.get(place);
		if (local !== undefined) return net.connect({ host: "127.0.0.1", port: local });
		return new net.Socket().destroy(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
	}
}
