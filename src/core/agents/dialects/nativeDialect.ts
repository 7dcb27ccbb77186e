import { readAgentFile } from "../agentFile.ts";
import type { AgentDialect } from "./agentDialect.ts";

/** Muster's own format, and the only one that a role pack has. */
export const nativeDialect: AgentDialect = {
	id: "native",
	title: "Muster",
	depth: 0,
	folders: () => [".agents/agents"],
	matches: (name) => name.endsWith(".md"),
	read: ({ layer, file, bytes }, reading) => readAgentFile({ layer, file }, bytes, reading),
};
