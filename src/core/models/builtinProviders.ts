import { createHttpProvider, type ListedModel, type Wire } from "./httpProvider.ts";

export interface BuiltinProvider {
	readonly id: string;
	readonly label: string;
	readonly baseUrl: string;
	readonly wire: Wire;
	/** The environment variable that holds the key; a local server needs none. */
	readonly envKey?: string;
	/** Other variables that may hold it, for who has set it for another program. */
	readonly otherEnvKeys?: readonly string[];
	readonly isLocal: boolean;
	/** Of the models that it lists, which are for general use: the newest of them is the default. */
	readonly usual?: RegExp;
}

/** Providers that need no settings but a key, or a server on this machine. */
export const builtinProviders: readonly BuiltinProvider[] = [
	{
		id: "anthropic",
		label: "Anthropic",
		baseUrl: "https://api.anthropic.com/v1",
		wire: "anthropic",
		envKey: "ANTHROPIC_API_KEY",
		isLocal: false,
		usual: /^claude-sonnet-\d/u,
	},
	{
		id: "openai",
		label: "OpenAI",
		baseUrl: "https://api.openai.com/v1",
		wire: "responses",
		envKey: "OPENAI_API_KEY",
		isLocal: false,
		usual: /^gpt-\d+(?:\.\d+)?$/u,
	},
	{
		id: "google",
		label: "Google",
		baseUrl: "https://generativelanguage.googleapis.com/v1beta",
		wire: "google",
		envKey: "GEMINI_API_KEY",
		otherEnvKeys: ["GOOGLE_GENERATIVE_AI_API_KEY"],
		isLocal: false,
		// Not the larger ones: a key without a contract may not use them.
		usual: /^gemini-\d+(?:\.\d+)?-flash$/u,
	},
	{
		id: "mistral",
		label: "Mistral",
		baseUrl: "https://api.mistral.ai/v1",
		wire: "mistral",
		envKey: "MISTRAL_API_KEY",
		isLocal: false,
		usual: /^mistral-medium-latest$/u,
	},
	{ id: "ollama", label: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", wire: "chat", isLocal: true },
	{ id: "lmstudio", label: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1", wire: "chat", isLocal: true },
];

/** All that a reference can begin with where nothing is configured. `vscode` is there in an editor only. */
export const knownProviderIds: readonly string[] = ["demo", "vscode", ...builtinProviders.map(({ id }) => id)];

export interface FoundProvider {
	readonly provider: BuiltinProvider;
	readonly models: readonly ListedModel[];
}

/** The local servers that answer, with what they have. Only while somebody looks: the caller's signal sets the time. */
export async function probeLocalProviders(
	signal: AbortSignal,
	candidates: readonly BuiltinProvider[] = builtinProviders,
): Promise<FoundProvider[]> {
	const found = await Promise.all(
		candidates
			.filter(({ isLocal }) => isLocal)
			.map(async (provider) => {
				const listed = await createHttpProvider({ ...provider, apiKey: async () => undefined }).listModels(signal);
				return listed.ok ? [{ provider, models: listed.models }] : [];
			}),
	);
	return found.flat();
}
