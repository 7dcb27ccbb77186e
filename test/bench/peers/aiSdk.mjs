import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, stepCountIs, streamText, tool as defineTool } from "ai";

/** The AI SDK's own loop, which most agents in TypeScript are built on. */
export async function runAgent({ baseUrl, model, system, prompt, tool, maxTurns, signal, onText }) {
	const provider = createOpenAICompatible({ name: "bench", baseURL: baseUrl, apiKey: "none", includeUsage: true });
	const { name, description, schema, execute } = tool;
	const { textStream } = streamText({
		model: provider(model),
		system,
		prompt,
		tools: {
			[name]: defineTool({ description, inputSchema: jsonSchema(schema), execute: async (input) => execute(input) }),
		},
		stopWhen: stepCountIs(maxTurns),
		abortSignal: signal,
		maxRetries: 0,
		onError({ error }) {
			throw error;
		},
	});
	for await (const delta of textStream) onText(delta);
}
