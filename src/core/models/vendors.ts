import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "./modelPort.ts";

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
	/** Models that refuse a request with a level of thinking. */
	readonly withoutReasoning?: RegExp;
	/** What the package wants to know beyond the port, where thinking is asked for. */
	readonly reasoningOptions?: SharedV4ProviderOptions;
}

/** Every further vendor is a line here, beside its name among the dialects of the configuration. */
export const vendors = {
	google: {
		open: async (modelId, settings) => (await import("@ai-sdk/google")).createGoogle(settings)(modelId),
		headers: (key): Record<string, string> => (key === undefined ? {} : { "x-goog-api-key": key }),
		listing: { pageSize: "1000" },
		withoutReasoning: /(?:^|\/)(?:gemini-(?:1|2\.0)|gemma)/u,
		reasoningOptions: { google: { thinkingConfig: { includeThoughts: true } } },
	},
} satisfies Readonly<Record<string, Vendor>>;

export type VendorWire = keyof typeof vendors;

export function isVendorWire(wire: string): wire is VendorWire {
	return Object.hasOwn(vendors, wire);
}

/** Whether, and how, this model is asked to think. */
export function reasoningOf(
	{ withoutReasoning, reasoningOptions }: Vendor,
	modelId: string,
	{ reasoning }: ModelRequest,
) {
	if (!reasoning || withoutReasoning?.test(modelId)) return {};
	return { reasoning, ...(reasoningOptions && { providerOptions: reasoningOptions }) };
}
