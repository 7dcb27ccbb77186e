import { randomFillSync } from "node:crypto";

type Id<Kind extends string> = string & { readonly kind?: Kind };
export type RunId = Id<"run">;
export type SessionId = Id<"session">;
export type HostId = Id<"host">;

const prefixes = {
	run: "run",
	session: "ses",
	host: "hst",
	message: "msg",
	approval: "apr",
	plan: "pln",
	comment: "cmt",
} as const;

/** A new id such as `run_0193…`: unique, and safe in file names, URLs and messages. */
export function createId(kind: keyof typeof prefixes): string {
	return `${prefixes[kind]}_${createUuid().replaceAll("-", "")}`;
}

/** UUIDv7: it begins with the time, so that new rows go to the end of an index instead of anywhere in it. */
export function createUuid(): string {
	const bytes = randomFillSync(Buffer.alloc(16));
	bytes.writeUIntBE(Date.now(), 0, 6);
	bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
	bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
	const hex = bytes.toString("hex");
	return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
