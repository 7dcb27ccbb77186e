import { createSocket, type Socket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import ipaddr from "ipaddr.js";

/** What a name has, for the first question, the second and so on; the last stands for all that follow. */
export type Zone = Readonly<Record<string, readonly (readonly string[])[]>>;

export interface NameServer {
	/** Asks it, over the wire, for every address of a name. */
	readonly resolve: (hostname: string) => Promise<readonly string[]>;
	/** The names that were asked for, once for each look-up. */
	readonly asked: readonly string[];
}

const typeA = 1;
const typeAaaa = 28;

/** A name server on loopback that speaks DNS over UDP, and changes its mind as it is told. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
	const socket = createSocket("udp4");
	const asked: string[] = [];
	socket.on("message", (question, { port, address }) => {
		const { name, type, end } = readQuestion(question);
		const rounds = zone[name] ?? [];
		if (type === typeA) asked.push(name);
		const round = asked.filter((each) => each === name).length - 1;
		const addresses = (rounds[Math.min(Math.max(round, 0), rounds.length - 1)] ?? []).map((text) => ipaddr.parse(text));
		const wanted = addresses.filter((each) => (each.kind() === "ipv4" ? typeA : typeAaaa) === type);
		const status = rounds.length === 0 ? 3 : 0;
		const head = Buffer.alloc(12);
		question.copy(head, 0, 0, 2);
		head.writeUInt16BE(0x8180 | status, 2);
		head.writeUInt16BE(1, 4);
		head.writeUInt16BE(wanted.length, 6);
		const answers = wanted.map((each) => writeAnswer(type, each.toByteArray()));
		socket.send(Buffer.concat([head, question.subarray(12, end), ...answers]), port, address);
	});
	socket.bind(0, "127.0.0.1");
	await once(socket, "listening");
	onTestFinished(() => close(socket));
	const resolver = new Resolver({ timeout: 2_000, tries: 2 });
	resolver.setServers([`127.0.0.1:${socket.address().port}`]);
	return {
		asked,
		resolve: async (hostname) => {
			// One after the other, so that a round is one look-up.
			const v4 = await resolver.resolve4(hostname).catch(noData);
			const v6 = await resolver.resolve6(hostname).catch(noData);
			return [...v4, ...v6];
		},
	};
}

function noData(error: unknown): readonly string[] {
	if (error instanceof Error && "code" in error && error.code === "ENODATA") return [];
	throw error;
}

function readQuestion(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
	const labels: string[] = [];
	let at = 12;
	for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
		labels.push(message.toString("latin1", at + 1, at + 1 + length).toLowerCase());
		at += 1 + length;
	}
	return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function writeAnswer(type: number, bytes: readonly number[]): Buffer {
	const answer = Buffer.alloc(12);
	// The name is the one in the question.
	answer.writeUInt16BE(0xc00c, 0);
	answer.writeUInt16BE(type, 2);
	answer.writeUInt16BE(1, 4);
	// Nothing is to be remembered.
	answer.writeUInt32BE(0, 6);
	answer.writeUInt16BE(bytes.length, 10);
	return Buffer.concat([answer, Buffer.from(bytes)]);
}

async function close(socket: Socket): Promise<void> {
	socket.close();
	await once(socket, "close");
}
