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
	/**
	 * Of a foreign file, every entry that this record does not hold as it was written. Nothing here has any effect: it is
	 * kept to be shown, and to write the file again without a loss.
	 */
	readonly extra?: Readonly<Record<string, unknown>>;
	/** The file of a lower layer or of another dialect that this agent replaces. */
	readonly shadows?: string;
}
