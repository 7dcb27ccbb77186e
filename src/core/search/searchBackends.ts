import * as z from "zod";
import type { Wanted } from "../models/wire/endpoint.ts";

/** A kind of search service: how it is asked, and what its answer is like. */
export interface SearchBackend {
	readonly label: string;
	/** Where the vendor has it; a service that people run themselves has no usual place. */
	readonly baseUrl?: string;
	/** The variable that may hold the key; without it none is needed. */
	readonly keyVariable?: string;
	headers(key: string | undefined): Readonly<Record<string, string>>;
	ask(query: string, count: number): Wanted;
	/** The results in its answer, each to be checked; undefined when the answer is not of that kind. */
	read(answer: unknown): readonly unknown[] | undefined;
	/** Why it may refuse, where that is not the key. */
	readonly refusal?: string;
}

const WithResults = z.looseObject({ results: z.array(z.unknown()) });
/** Brave leaves the part out where nothing was found. */
const Brave = z.looseObject({ type: z.string(), web: WithResults.optional() });

export const searchBackends = {
	searxng: {
		label: "SearXNG",
		headers: () => ({}),
		ask: (query) => ({ method: "GET", path: "/search", query: { q: query, format: "json" } }),
		read: (answer) => WithResults.safeParse(answer).data?.results,
		refusal: "Its settings.yml must list json under search.formats.",
	},
	brave: {
		label: "Brave Search",
		baseUrl: "https://api.search.brave.com/res/v1",
		keyVariable: "BRAVE_API_KEY",
		headers: (key) => (key === undefined ? {} : { "x-subscription-token": key }),
		ask: (query, count) => ({ method: "GET", path: "/web/search", query: { q: query, count: String(count) } }),
		read(answer) {
			const { data } = Brave.safeParse(answer);
			return data && (data.web?.results ?? []);
		},
	},
	tavily: {
		label: "Tavily",
		baseUrl: "https://api.tavily.com",
		keyVariable: "TAVILY_API_KEY",
		headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
		ask: (query, count) => ({ method: "POST", path: "/search", body: JSON.stringify({ query, max_results: count }) }),
		read: (answer) => WithResults.safeParse(answer).data?.results,
	},
} satisfies Readonly<Record<string, SearchBackend>>;

export type SearchBackendId = keyof typeof searchBackends;
