import type * as z from "zod";
import type { AgentFields } from "./agentFields.ts";

/** Whose file it is: the user's own, a role's, or the open folder's. From the lowest to the highest. */
export type AgentLayer = "home" | "role" | "repo";

/** Whose format it is in. Only our own is ever written; the others are read where they are. */
export type AgentDialectId = "native" | "claude" | "vscode" | "opencode" | "cursor" | "codex" | "cline" | "netclaw";

/** Where an agent comes from. */
export interface AgentOrigin {
	readonly layer: AgentLayer;
	/** Absolute path. */
	readonly file: string;
}

/** What `agents.list` says of an agent and an agent file can't. */
export interface ConfiguredAgent {
	readonly isRestricted: boolean;
	/** Its own folder, absolute: its home layer, and where it works. */
	readonly workspace?: string;
	/** Whether it may use the keys of who spawned it where it has none; a restricted one does not, unless this says so. */
	readonly authFallback?: "parent" | "none";
	/** The static agents beside itself that it may spawn; `*` is any. */
	readonly allowAgents: readonly string[];
	readonly subagents: {
		readonly model?: string;
		readonly thinking?: "low" | "medium" | "high";
		readonly runTimeoutSeconds?: number;
		readonly allowTools?: readonly string[];
		readonly denyTools?: readonly string[];
	};
}

/**
 * An agent: a definition, not a process. Its fields are those of the file, checked; nothing is filled in from settings.
 * Agents with `visibility: internal` are definitions like others; who lists or spawns agents leaves them out.
 */
export interface AgentDefinition extends Readonly<z.infer<typeof AgentFields>>, AgentOrigin {
	readonly dialect: AgentDialectId;
	/** The body of the file, byte for byte. */
	readonly prompt: string;
	/** Models neither see nor spawn it: its file says so, or does not say what it is for. People do. */
	readonly isForPeopleOnly?: true;
	/** Each use of these asks, whatever the user's rules allow: a foreign file says so. */
	readonly askedTools?: readonly string[];
	/** Of a run's agent, the entries with patterns that its tools are limited to: by list and tool. */
	readonly limits?: readonly (readonly string[])[];
	/**
	 * Of a foreign file, every entry that this record does not hold as it was written. Nothing here has any effect: it is
	 * kept to be shown, and to write the file again without a loss.
	 */
	readonly extra?: Readonly<Record<string, unknown>>;
	/** Of a static agent, what only the configuration says; absent for agents that are files. */
	readonly configured?: ConfiguredAgent;
	/** The file of a lower layer or of another dialect that this agent replaces. */
	readonly shadows?: string;
}
