import type { Problem } from "../base/errors.ts";

export interface RoleRequest {
	/** The call's parameter. */
	readonly role?: string;
	/** The agent's `role:`. */
	readonly agentRole?: string;
	readonly label?: string;
	readonly task: string;
}

export interface ResolvedRole {
	/** Absent when nothing names one: there is no default role. */
	readonly role?: string;
	/** Without the prefix that named the role; the original where nothing would be left. */
	readonly label?: string;
	readonly task: string;
	/** A parameter that can't be the name of a role. */
	readonly problem?: Problem;
}

const token = /^[a-z0-9_-]+$/u;
/** `[backend] …`, but not a link: `[backend](…)`. */
const prefix = /^\s*\[([a-z0-9_-]+)\](?!\()\s*/iu;

/**
 * The role of a run: its parameter, else its agent's, else the `[role]` that begins its label, else its task. A prefix
 * that names the role is taken off what the model sees. The name is safe in a path.
 */
export function resolveRole(request: RoleRequest): ResolvedRole {
	const { label, task } = request;
	const named = [request.role, request.agentRole].map((name) => name?.trim().toLowerCase()).find(Boolean);
	if (named !== undefined && !token.test(named)) {
		const message = `"${named.slice(0, 60)}" can't be a role: a role is named by lower-case letters, digits, _ and -.`;
		return { ...(label !== undefined && { label }), task, problem: { code: "role.name", message } };
	}
	const role = named ?? prefixOf(label) ?? prefixOf(task);
	if (role === undefined) return { ...(label !== undefined && { label }), task };
	return { role, ...(label !== undefined && { label: withoutPrefix(label, role) }), task: withoutPrefix(task, role) };
}

function prefixOf(text: string | undefined): string | undefined {
	return text === undefined ? undefined : prefix.exec(text)?.[1]?.toLowerCase();
}

function withoutPrefix(text: string, role: string): string {
	if (prefixOf(text) !== role) return text;
	return text.replace(prefix, "") || text;
}
