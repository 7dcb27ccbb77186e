import * as z from "zod";
import type { Connection } from "../models/httpProvider.ts";
import type { ModelError } from "../models/modelPort.ts";
import { findKey, type FoundKey, type KeyOwner, type KeySources } from "../models/providerKey.ts";
import type { Endpoint } from "../models/wire/endpoint.ts";
import { fetchJson } from "../models/wire/fetchJson.ts";
import { readHtml } from "../web/readHtml.ts";
import { type SearchBackend, type SearchBackendId, searchBackends } from "./searchBackends.ts";
import type { Searched, SearchResult, SearchService } from "./searchService.ts";

export interface SearchSettings {
	readonly backend: SearchBackendId | "off";
	/** Empty: where the vendor has it. */
	readonly baseUrl: string;
}

/** A service with what surfaces need to know about its key. */
export interface KeyedSearchService extends SearchService {
	readonly id: SearchBackendId;
	/** Where its key goes, and nowhere else; undefined where it has no usable address. */
	readonly origin: string | undefined;
	readonly keyVariable: string | undefined;
	/** Rejects when the keys cannot be read. */
	findKey(): Promise<FoundKey | undefined>;
	/** The same with this key, for trying it before it is kept: by a search, because nothing else asks for the key. */
	withKey(key: string | undefined): { testConnection(signal: AbortSignal): Promise<Connection> };
}

/** What searches by these settings; undefined when it is off. */
export function createSearchService(settings: SearchSettings, sources: KeySources): KeyedSearchService | undefined {
	if (settings.backend === "off") return undefined;
	const id = settings.backend;
	const backend: SearchBackend = searchBackends[id];
	const { label, keyVariable } = backend;
	const baseUrl = settings.baseUrl.trim() || (backend.baseUrl ?? "");
	const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
	const findOwnKey = async () => (origin === undefined ? undefined : findKey(ownerOf(id, origin, backend), sources));
	const ask = (apiKey: Endpoint["apiKey"], query: string, count: number, signal: AbortSignal) =>
		fetchJson({ label, baseUrl, headers: {}, apiKey }, backend, backend.ask(query, count), signal);
	return {
		id,
		label,
		origin,
		keyVariable,
		findKey: findOwnKey,
		withKey: (key) => ({
			async testConnection(signal) {
				const answer = await ask(async () => key, "test", 1, signal);
				return answer.ok ? { ok: true } : answer;
			},
		}),
		async search(query, count, signal) {
			if (baseUrl === "") return failed(`${label} has no address. A person sets it in muster.webSearch.baseUrl.`);
			if (keyVariable !== undefined && (await isWithoutKey(findOwnKey))) return failed(explainMissingKey(backend));
			const answer = await ask(async () => (await findOwnKey())?.key, query, count, signal);
			if (!answer.ok) return failed(explain(answer.error, backend));
			const results = backend.read(answer.value);
			if (results === undefined)
				return failed(`${label} answered with something that is no list of results. ${withoutIt}`);
			return { ok: true, results: results.flatMap(readResult).slice(0, count) };
		},
	};
}

/** A variable is meant for its vendor: at another address only a key that was entered for it is used. */
function ownerOf(id: string, origin: string, { baseUrl, keyVariable }: SearchBackend): KeyOwner {
	const isVendors = baseUrl !== undefined && new URL(baseUrl).origin === origin;
	return { id, origin, isVariableNamed: true, ...(isVendors && keyVariable !== undefined && { keyVariable }) };
}

/** One that can't be read is told by the request itself. */
async function isWithoutKey(find: () => Promise<FoundKey | undefined>): Promise<boolean> {
	const found = await find().catch(() => "unreadable" as const);
	return found === undefined;
}

const withoutIt = "Go on without it, and say in your report what is left to look up.";

function explainMissingKey({ label, keyVariable }: SearchBackend): string {
	return `${label} has no key: a person enters it with “Muster: Set API Key…”, or sets the environment variable ${keyVariable}. ${withoutIt}`;
}

function explain({ kind, message, statusCode, retryAfterMs }: ModelError, backend: SearchBackend): string {
	const { label, refusal, keyVariable } = backend;
	const status = statusCode === undefined ? "" : ` (HTTP ${statusCode})`;
	if (kind === "auth" && statusCode !== undefined) {
		const advice = refusal ?? `A person can enter another with “Muster: Set API Key…”, or in ${keyVariable}.`;
		return `${label} ${refusal === undefined ? "does not accept its key" : "refuses"}${status}. ${advice} ${withoutIt}`;
	}
	if (kind === "rate-limit" || kind === "quota") {
		const wait = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1000)} s`;
		return `${label} allows no more searches now${status}. Try again ${wait}, or go on without it.`;
	}
	return `${label} could not search${status}: ${message} ${withoutIt}`;
}

const longestTitle = 200;
const longestSnippet = 500;
const Result = z.looseObject({
	url: z
		.string()
		.max(2_000)
		.refine((url) => URL.canParse(url) && /^https?:$/u.test(new URL(url).protocol)),
	title: z.string().catch(""),
	/** Brave's word is `description`. */
	content: z.string().nullish().catch(undefined),
	description: z.string().nullish().catch(undefined),
});

/** One that can't be used does not hide the others. Services mark what fits with tags. */
function readResult(value: unknown): SearchResult[] {
	const { data } = Result.safeParse(value);
	if (data === undefined) return [];
	const url = new URL(data.url);
	const plain = (text: string, most: number) =>
		readHtml(text, url).text.replaceAll(/\s+/gu, " ").slice(0, most).toWellFormed();
	return [
		{
			title: plain(data.title, longestTitle),
			url: url.href,
			snippet: plain(data.content ?? data.description ?? "", longestSnippet),
		},
	];
}

function failed(problem: string): Searched {
	return { ok: false, problem };
}
