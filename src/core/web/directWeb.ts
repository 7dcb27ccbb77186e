import { lookup } from "node:dns/promises";
import net from "node:net";
import type { WebAccess } from "../ports/webAccess.ts";
import { judgeAddress } from "./judgeAddress.ts";

/** This machine's own names and network, without a proxy: behind one, nobody could say which address is reached. */
export const directWeb: WebAccess = {
	async resolve(hostname) {
		return (await lookup(hostname, { all: true })).map(({ address }) => address);
	},
	connect(address, port) {
		const socket = net.connect({ host: address, port });
		socket.once("connect", () => {
			// What was reached counts, whatever came between the call and the network.
			const kind = judgeAddress(socket.remoteAddress ?? "");
			if (kind !== undefined) socket.destroy(new Error(`the connection leads to ${kind}`));
		});
		return socket;
	},
};
