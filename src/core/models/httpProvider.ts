import { anthropicMessages } from "./anthropicMessages.ts";
import { chatCompletions } from "./chatCompletions.ts";
import type { Model, ModelError, ModelProvider } from "./modelPort.ts";
import { openaiResponses } from "./openaiResponses.ts";
import { priceOf, type PriceTable } from "./priceTable.ts";
import { AnswerStream } from "./wire/answerStream.ts";
import type { Dialect } from "./wire/dialect.ts";
import type { Endpoint } from "./wire/endpoint.ts";
import { fetchJson } from "./wire/fetchJson.ts";
import { isJson, listOf, textOf } from "./wire/json.ts";

/** `chat`: Chat Completions; `responses`: OpenAI's Responses; `anthropic`: Anthropic's Messages. */
export type Wire = "chat" | "responses" | "anthropic";

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

export type Connection = { readonly ok: true } | { readonly ok: false; readonly error: ModelError };

export interface HttpProvider extends ModelProvider {
	/** What the server says it has. Never rejects. */
	listModels(signal: AbortSignal): Promise<Listed>;
	/** Whether address and key are right, by a question that costs nothing. A server without a list counts as there. */
	testConnection(signal: AbortSignal): Promise<Connection>;
}

const dialects: Readonly<Record<Wire, Dialect>> = {
	chat: chatCompletions,
	responses: openaiResponses,
	anthropic: anthropicMessages,
};

/** A provider behind an HTTP address. It has every model that it is asked for; the server decides. */
export function createHttpProvider(options: HttpProviderOptions): HttpProvider {
	const { id, label, baseUrl, wire, headers = {}, secretHeaders = {}, prices } = options;
	const endpoint: Endpoint = { label, baseUrl, headers, secretHeaders, apiKey: () => options.apiKey() };
	const dialect = dialects[wire];
	const listModels = async (signal: AbortSignal): Promise<Listed> => {
		const answer = await fetchJson(endpoint, dialect, "/models", signal);
		return answer.ok ? { ok: true, models: readModels(answer.value) } : answer;
	};
	return {
		id,
		label,
		model(modelId): Model | undefined {
			if (modelId === "") return undefined;
			const target = {
				dialect,
				endpoint,
				modelId,
				priceOf: (name: string, usage: Parameters<typeof priceOf>[1]) => priceOf(name, usage, prices),
			};
			return {
				ref: `${id}/${modelId}`,
				label: modelId,
				stream: (request) => ({ [Symbol.asyncIterator]: () => AnswerStream.open(target, request) }),
			};
		},
		listModels,
		async testConnection(signal) {
			const listed = await listModels(signal);
			return listed.ok || listed.error.kind === "not-found" ? { ok: true } : listed;
		},
	};
}

/** OpenAI and Anthropic have `data`, some servers `models` or the bare list; names are `id` or `name`. */
function readModels(answer: unknown): ListedModel[] {
	const list = isJson(answer) ? (answer["data"] ?? answer["models"]) : answer;
	const found = new Map<string, ListedModel>();
	for (const model of listOf(list)) {
		const id = textOf(model["id"]) || textOf(model["name"]);
		if (id !== "") found.set(id, { id, label: textOf(model["display_name"]) || id });
	}
	return [...found.values()];
}
