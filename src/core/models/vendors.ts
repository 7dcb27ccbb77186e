import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { createHash } from "node:crypto";
import type { ModelRequest } from "./modelPort.ts";
import { isInForeignLoop } from "./wire/replayLayout.ts";

/** What a package is made with. It asks nobody but this `fetch`, which alone knows the address and the key. */
export interface PackageSettings {
	readonly baseURL: string;
	readonly apiKey: string;
	readonly fetch: typeof globalThis.fetch;
}

/** A vendor whose dialect a package of the AI SDK speaks. */
export interface Vendor {
	/** Loads the package. Only here, so that each stays in a chunk of its own until it is needed. */
	open(modelId: string, settings: PackageSettings): Promise<LanguageModelV4>;
	headers(key: string | undefined): Readonly<Record<string, string>>;
	/** For the list of models. */
	readonly listing?: Readonly<Record<string, string>>;
	/** Where models cannot be chosen from a list: it has other things (and still tells a wrong key), or there is none. */
	readonly list?: "other" | "none";
	/** What the package wants to know beyond the port. */
	readonly options?: SharedV4ProviderOptions;
	/** The same where thinking is asked for. */
	readonly reasoningOptions?: SharedV4ProviderOptions;
	/** Models that refuse a request with a level of thinking. */
	readonly withoutReasoning?: RegExp;
	readonly rules?: ConversationRules;
}

/** What a vendor or its package makes of a conversation, where that is not what the port means. */
export interface ConversationRules {
	/** A call's id as the vendor accepts it. */
	readonly callId?: (id: string) => string;
	/** A person's message right after results is refused. */
	readonly answersResults?: true;
	/** The model is told which results are failures; else the text has to say it. */
	readonly marksFailures?: true;
	/** Calls can't be forbidden without hiding those of the past, so they are left out of the answer instead. */
	readonly dropsForbiddenCalls?: true;
	/** Models that refuse to think over results where the calls came without thinking of their own. */
	readonly thinkThroughout?: RegExp;
}

const bearer = (key: string | undefined): Record<string, string> =>
	key === undefined ? {} : { authorization: `Bearer ${key}` };

export type VendorWire = "google" | "mistral" | "azure" | "bedrock";

/** Every further vendor is a line here, beside its name among the dialects of the configuration. */
export const vendors: Readonly<Record<VendorWire, Vendor>> = {
	google: {
		open: async (modelId, settings) => (await import("@ai-sdk/google")).createGoogle(settings)(modelId),
		headers: (key) => (key === undefined ? {} : { "x-goog-api-key": key }),
		listing: { pageSize: "1000" },
		withoutReasoning: /(?:^|\/)(?:gemini-(?:1|2\.0)|gemma)/u,
		reasoningOptions: { google: { thinkingConfig: { includeThoughts: true } } },
		rules: { marksFailures: true },
	},
	mistral: {
		open: async (modelId, settings) => (await import("@ai-sdk/mistral")).createMistral(settings)(modelId),
		headers: bearer,
		withoutReasoning:
			/^(?:codestral|devstral|ministral|pixtral|voxtral|open-|mistral-(?:tiny|saba|nemo|code|large-(?:latest|2)|(?:small|medium)-2[345])|magistral-(?:small|medium)-2)/u,
		rules: { callId: nineLetters, answersResults: true },
	},
	azure: {
		open: async (modelId, settings) => (await import("@ai-sdk/azure")).createAzure(settings).responses(modelId),
		headers: (key) => (key === undefined ? {} : { "api-key": key }),
		// It has what could be deployed; names of deployments are given by people.
		list: "other",
		options: { azure: { store: false } },
		reasoningOptions: { azure: { store: false, reasoningSummary: "auto" } },
	},
	bedrock: {
		open: async (modelId, settings) => (await import("@ai-sdk/amazon-bedrock")).createAmazonBedrock(settings)(modelId),
		headers: (key) => ({ ...bearer(key), accept: "*/*" }),
		// The list is at another origin, where the key does not go.
		list: "none",
		withoutReasoning: /claude-(?:v2|instant|3-(?:5-)?(?:opus|sonnet|haiku))/u,
		rules: { dropsForbiddenCalls: true, thinkThroughout: /claude-(?:3-7|[a-z]+-4-(?:[015]-)?\d{8})/u },
	},
};

export function isVendorWire(wire: string): wire is VendorWire {
	return Object.hasOwn(vendors, wire);
}

/** Whether, and how, this model is asked to think, and what else its package wants to know. */
export function optionsFor(wire: string, vendor: Vendor, modelId: string, { reasoning, messages }: ModelRequest) {
	const { withoutReasoning, options, reasoningOptions = options, rules } = vendor;
	const refuses =
		withoutReasoning?.test(modelId) ||
		(rules?.thinkThroughout?.test(modelId) && isInForeignLoop(messages, wire, modelId));
	if (!reasoning || refuses) return options && { providerOptions: options };
	return { reasoning, ...(reasoningOptions && { providerOptions: reasoningOptions }) };
}

/** Mistral's ids have nine letters and digits; those of other models are refused. */
function nineLetters(id: string): string {
	return /^[a-z\d]{9}$/iu.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);
}
