import * as z from "zod";
import { Agents } from "./agentsFields.ts";
import { flag, listOf, mapOf, modelReference, oneOf, table, text, variableName } from "./configFields.ts";
import { McpServerFields } from "./mcpServerFields.ts";

/** `[[bindings]]`: whose words go to which agent. */
export const Binding = table({
	agentId: text.toLowerCase().meta({ description: "The agent that answers." }),
	match: table({
		channel: text.meta({ description: "The channel: telegram, panel or chat." }),
		accountId: z.exactOptional(text.meta({ description: "The channel's account; without it, all of them." })),
	}),
});
export type Binding = Readonly<z.infer<typeof Binding>>;

const ownerIds = z.exactOptional(
	listOf(z.union([text, z.int()], "must be text or a whole number"), "ids").meta({
		description: "Only these people are answered.",
	}),
);

/** `[channels.<name>.accounts.<id>]`. There is no field for a token: it is in Secret Storage, or in the variable. */
export const ChannelAccount = table({
	enabled: z.exactOptional(flag.meta({ description: "Default: true." })),
	name: z.exactOptional(text.meta({ description: "What people read." })),
	tokenEnvVar: z.exactOptional(
		variableName.meta({ description: "The environment variable with the account's token." }),
	),
	ownerIds,
});
export type ChannelAccount = Readonly<z.infer<typeof ChannelAccount>>;

/** `[channels.<name>]`. */
export const Channel = table({
	enabled: z.exactOptional(flag.meta({ description: "Default: true." })),
	accounts: z.exactOptional(mapOf(ChannelAccount).meta({ description: "The channel's accounts, by id." })),
	ownerIds,
});

/** `[model_providers.<id>]`, in Codex's dialect; a model is then `<id>/<model>`. */
export const ModelProvider = table({
	name: z.exactOptional(text.meta({ description: "What people read." })),
	baseUrl: text
		.refine(isWebAddress, {
			error: "must be an http or https address without a password",
			params: { code: "config.url" },
		})
		.meta({ description: "Where requests go." }),
	envKey: z.exactOptional(variableName.meta({ description: "The environment variable with the key." })),
	wireApi: z.exactOptional(
		oneOf("chat", "responses", "anthropic", "google", "mistral", "azure", "bedrock").meta({
			description: "The dialect that it speaks. Default: chat.",
		}),
	),
	httpHeaders: z.exactOptional(mapOf(text)),
	envHttpHeaders: z.exactOptional(mapOf(variableName)),
	queryParams: z.exactOptional(mapOf(text)),
});
export type ModelProvider = Readonly<z.infer<typeof ModelProvider>>;

/** `[model_roles]`: what an agent's `modelRole` means. */
export const ModelRoles = mapOf(modelReference);

const dollars = z.number("must be a number of US dollars").min(0, "must be 0 or more");

/** `[prices."provider/model"]`: US dollars for a million tokens, for every model whose name begins so. */
export const Prices = mapOf(
	table({
		input: dollars.meta({ description: "For a million tokens of input." }),
		output: dollars.meta({ description: "For a million tokens of output." }),
		cachedInput: z.exactOptional(dollars.meta({ description: "Of those read from the cache. Default: as input." })),
		cacheWrite: z.exactOptional(dollars.meta({ description: "Of those written to the cache. Default: as input." })),
	}),
);
export type Price = Readonly<z.infer<typeof Prices>>[string];

const rules = z.exactOptional(
	listOf(
		text.regex(/^[A-Za-z_][\w./*-]*(?:\(.+\))?$/su, {
			error: "must be a rule: tool or tool(pattern), such as shell(git diff *)",
		}),
		"rules",
	),
);

/** `[permissions]`: rules for the gate. Deny beats ask beats allow. */
export const Permissions = table({ allow: rules, ask: rules, deny: rules });

/**
 * All of `.agents/config.toml`, and of the settings that say the same. Keys are in our own spelling; `toCanonicalKeys`
 * translates what people write. The types, the checks, the settings' JSON schema and the editor's completion come from here.
 */
export const Config = table({
	mcpServers: z.exactOptional(mapOf(McpServerFields)),
	agents: z.exactOptional(Agents),
	bindings: z.exactOptional(z.array(Binding, "must be a list of tables, [[bindings]]")),
	channels: z.exactOptional(mapOf(Channel)),
	modelProviders: z.exactOptional(mapOf(ModelProvider)),
	modelRoles: z.exactOptional(ModelRoles),
	prices: z.exactOptional(Prices),
	permissions: z.exactOptional(Permissions),
});
export type Config = z.infer<typeof Config>;

function isWebAddress(address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, username, password } = new URL(address);
	return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}
