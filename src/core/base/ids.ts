import { randomUUID } from "node:crypto";

type Id<Kind extends string> = string & { readonly kind?: Kind };
export type RunId = Id<"run">;
export type SessionId = Id<"session">;
export type HostId = Id<"host">;

const prefixes = { run: "run", session: "ses", host: "hst" } as const;

/** A new id such as `run_0f8c…`: unique, and safe in file names, URLs and messages. */
export function createId(kind: keyof typeof prefixes): string {
	return `${prefixes[kind]}_${randomUUID().replaceAll("-", "")}`;
}
