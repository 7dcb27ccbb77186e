import { isIP, type Socket } from "node:net";
import tls from "node:tls";
import type { WebAccess } from "../ports/webAccess.ts";

/** Of several addresses the next is tried after this. */
export const connectMs = 6_000;

/** Connects to one of these addresses, which were checked, and speaks TLS with the name that was asked for. */
export async function openConnection(
	url: URL,
	addresses: readonly string[],
	web: WebAccess,
	signal: AbortSignal,
): Promise<Socket> {
	let failure: unknown;
	for (const address of addresses) {
		signal.throwIfAborted();
		try {
			return await connect(url, address, web, signal);
		} catch (error) {
			failure = error;
		}
	}
	throw failure;
}

async function connect(url: URL, address: string, web: WebAccess, signal: AbortSignal): Promise<Socket> {
	const isSecure = url.protocol === "https:";
	const plain = web.connect(address, Number(url.port || (isSecure ? 443 : 80)));
	const socket = isSecure ? tls.connect({ socket: plain, ALPNProtocols: ["http/1.1"], ...peerOf(url) }) : plain;
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const giveUp = () => socket.destroy(signal.reason);
	const fail = (error: Error) => {
		plain.destroy();
		reject(error);
	};
	socket.setTimeout(connectMs, () => socket.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })));
	signal.addEventListener("abort", giveUp, { once: true });
	plain.on("error", fail);
	socket.on("error", fail);
	socket.once("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
	socket.once(isSecure ? "secureConnect" : "connect", () => resolve());
	try {
		await promise;
	} finally {
		signal.removeEventListener("abort", giveUp);
	}
	socket.setTimeout(0);
	return socket;
}

/** Whose certificate it must be. An address is no server name, but stands in a certificate all the same. */
function peerOf({ hostname }: URL): tls.ConnectionOptions {
	const host = hostname.replace(/^\[|\]$/gu, "");
	return isIP(host) === 0 ? { host, servername: host } : { host };
}
