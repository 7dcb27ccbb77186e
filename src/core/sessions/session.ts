import { createUuid } from "../base/ids.ts";

export type SessionKind = "main" | "subagent" | "user" | "external";

/** The session of everything a person starts by hand: palette, tree and panel. */
export const userSession = { key: "agent:main:user", kind: "user", agentId: "main" } as const;

/** The key of a new child session: `agent:<agentId>:subagent:<uuid>`. */
export function createChildSessionKey(agentId: string): string {
	return `agent:${agentId}:subagent:${createUuid()}`;
}
