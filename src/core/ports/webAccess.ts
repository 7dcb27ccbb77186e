import type { Socket } from "node:net";

/** By what pages of the web are reached. Who uses it decides first whether an address may be reached at all. */
export interface WebAccess {
	/** Every address that a name has now. Rejects when it has none. */
	resolve(hostname: string): Promise<readonly string[]>;
	/** A connection to exactly this address; nothing is looked up again. */
	connect(address: string, port: number): Socket;
}
