/** One agent's work: asks, runs the tool as often as the model calls it, and reads the answer to its end. */
export type RunAgent = (task: AgentTask) => Promise<void>;

export interface AgentTask {
	/** With the version, e.g. `http://127.0.0.1:8080/v1`. */
	readonly baseUrl: string;
	readonly model: string;
	readonly system: string;
	readonly prompt: string;
	readonly tool: {
		readonly name: string;
		readonly description: string;
		/** JSON schema of its input. */
		readonly schema: Readonly<Record<string, unknown>>;
		readonly execute: (input: { readonly path: string }) => string;
	};
	readonly maxTurns: number;
	readonly signal: AbortSignal;
	/** Called with each piece of the answer. */
	readonly onText: (delta: string) => void;
}

const content = "export const answer = 42;\n".repeat(16);

/** The same for everyone. */
export const commonTask = {
	system: "You are a careful coding agent. Use tools when you need facts.",
	prompt: "Explain how the module loader resolves a relative path. ".repeat(20),
	maxTurns: 1_000,
	tool: {
		name: "read_file",
		description: "Reads a text file of the workspace.",
		schema: {
			type: "object",
			properties: { path: { type: "string" } },
			required: ["path"],
			additionalProperties: false,
		},
		execute: ({ path }: { readonly path: string }) => `// ${path}\n${content}`,
	},
} as const;
