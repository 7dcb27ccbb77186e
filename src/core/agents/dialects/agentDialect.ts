import type { AgentDialectId, AgentLayer, AgentOrigin } from "../agentDefinition.ts";
import type { AgentReading, ParsedAgent } from "../agentFile.ts";

/** One file of a dialect's folder. */
export interface AgentSource extends AgentOrigin {
	/** From the dialect's folder, with forward slashes: some dialects name agents by it. */
	readonly path: string;
	readonly bytes: Uint8Array;
}

/** A format of agent files: where they are, which they are, and what they say. */
export interface AgentDialect {
	readonly id: AgentDialectId;
	/** Whose format it is, for people. */
	readonly title: string;
	/** How many folders deep its folders are searched; 0 for the files in them alone. */
	readonly depth: number;
	/** From the root of a layer, with forward slashes. No other folder is looked at. */
	folders(layer: AgentLayer): readonly string[];
	/** Whether a file of that name is an agent file. Others are nobody's business here. */
	matches(name: string): boolean;
	/** Never throws, whatever the bytes are; without an agent there is a problem that says why. */
	read(source: AgentSource, reading: AgentReading): Promise<ParsedAgent>;
}
