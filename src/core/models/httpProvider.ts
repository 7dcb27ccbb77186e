import { anthropicMessages } from "./anthropicMessages.ts";
import { chatCompletions } from "./chatCompletions.ts";
import type { Model, ModelError, ModelPart, ModelProvider, ModelRequest } from "./modelPort.ts";
import { openaiResponses } from "./openaiResponses.ts";
import { PackageStream } from "./packageStream.ts";
import { type PricedUsage, priceOf, type PriceTable } from "./priceTable.ts";
import { isVendorWire, type Vendor, type VendorWire, vendors } from "./vendors.ts";
import { AnswerStream, type WireTarget } from "./wire/answerStream.ts";
import type { Dialect } from "./wire/dialect.ts";
import type { Endpoint } from "./wire/endpoint.ts";
import { fetchJson } from "./wire/fetchJson.ts";
import { isJson, jsonOf, listOf, textOf } from "./wire/json.ts";

/** `chat`: Chat Completions; `responses`: OpenAI's Responses; `anthropic`: Anthropic's Messages; others by a package. */
export type Wire = Dialect["name"] | VendorWire;

export interface HttpProviderOptions {
	readonly id: string;
	readonly label: string;
	/** As in Codex's `base_url`: with the version, without the method, e.g. `https://api.openai.com/v1`. */
	readonly baseUrl: string;
	readonly wire: Wire;
	readonly headers?: Readonly<Record<string, string>>;
	/** Headers whose values are secrets, whatever their names. */
	readonly secretHeaders?: Readonly<Record<string, string>>;
	/** Asked before every request; the key goes to the origin of `baseUrl` only. */
	apiKey(): Promise<string | undefined>;
	/** They come before the default prices. */
	readonly prices?: PriceTable;
}

export interface ListedModel {
	readonly id: string;
	readonly label: string;
}

export type Listed =
	| { readonly ok: true; readonly models: readonly ListedModel[] }
	| { readonly ok: false; readonly error: ModelError };

/** `isUntried`: there is nothing to ask that costs nothing. */
export type Connection =
	| { readonly ok: true; readonly isUntried?: true }
	| { readonly ok: false; readonly error: ModelError };

export interface HttpProvider extends ModelProvider {
	/** What the server says it has. Never rejects. */
	listModels(signal: AbortSignal): Promise<Listed>;
	/** Whether address and key are right, by a question that costs nothing. A server without a list counts as there. */
	testConnection(signal: AbortSignal): Promise<Connection>;
}

const dialects: Readonly<Record<Dialect["name"], Dialect>> = {
	chat: chatCompletions,
	responses: openaiResponses,
	anthropic: anthropicMessages,
};

/** What asks in a dialect: our own lean code, or a package. */
interface Speaker {
	readonly dialect: Pick<Dialect, "headers">;
	readonly list?: Vendor["list"];
	/** For the list of models. */
	readonly query: Readonly<Record<string, string>>;
	readonly open: (target: Omit<WireTarget, "dialect">, request: ModelRequest) => AsyncIterator<ModelPart, undefined>;
}

function findSpeaker(wire: Wire): Speaker {
	if (isVendorWire(wire)) {
		const vendor = vendors[wire];
		return {
			dialect: vendor,
			query: vendor.listing ?? {},
			...(vendor.list && { list: vendor.list }),
			open: (target, request) => PackageStream.open({ ...target, wire, vendor }, request),
		};
	}
	const dialect = dialects[wire];
	return {
		dialect,
		query: {},
		open: (target, request) => AnswerStream.open({ ...target, dialect }, request),
	};
}

/** A provider behind an HTTP address. It has every model that it is asked for; the server decides. */
export function createHttpProvider(options: HttpProviderOptions): HttpProvider {
	const { id, label, baseUrl, wire, headers = {}, secretHeaders = {}, prices } = options;
	const endpoint: Endpoint = { label, baseUrl, headers, secretHeaders, apiKey: () => options.apiKey() };
	const priced = (name: string, usage: PricedUsage) => priceOf(name, usage, prices);
	const { dialect, query, list, open } = findSpeaker(wire);
	const listModels = async (signal: AbortSignal): Promise<Listed> => {
		if (list === "none") return { ok: true, models: [] };
		const wanted = { method: "GET", path: "/models", query } as const;
		const answer = await fetchJson(endpoint, dialect, wanted, signal);
		return answer.ok ? { ok: true, models: list === "other" ? [] : readModels(answer.value) } : answer;
	};
	return {
		id,
		label,
		model(modelId): Model | undefined {
			if (modelId === "") return undefined;
			const target = { endpoint, modelId, priceOf: priced };
			return {
				ref: `${id}/${modelId}`,
				label: modelId,
				stream: (request) => ({ [Symbol.asyncIterator]: () => open(target, request) }),
			};
		},
		listModels,
		async testConnection(signal) {
			if (list === "none") return { ok: true, isUntried: true };
			const listed = await listModels(signal);
			return listed.ok || listed.error.kind === "not-found" ? { ok: true } : listed;
		},
	};
}

/**
 * OpenAI and Anthropic have `data`, some servers `models` or the bare list; names are `id` or `name`. Google's names begin
 * with the kind of thing that they name. Not all of Google's and Mistral's can talk, which each says in its own way.
 */
function readModels(answer: unknown): ListedModel[] {
	const list = isJson(answer) ? (answer["data"] ?? answer["models"]) : answer;
	const found = new Map<string, ListedModel>();
	for (const model of listOf(list)) {
		const { supportedGenerationMethods: methods, capabilities } = model;
		if (Array.isArray(methods) && !methods.includes("generateContent")) continue;
		if (jsonOf(capabilities)["completion_chat"] === false) continue;
		const id = textOf(model["id"]) || textOf(model["name"]).replace(/^models\//u, "");
		if (id !== "") found.set(id, { id, label: textOf(model["display_name"] ?? model["displayName"]) || id });
	}
	return [...found.values()];
}
