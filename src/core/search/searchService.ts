export interface SearchResult {
	readonly title: string;
	readonly url: string;
	readonly snippet: string;
}

export type Searched =
	| { readonly ok: true; readonly results: readonly SearchResult[] }
	/** Names the service and what to do. */
	| { readonly ok: false; readonly problem: string };

/** Whoever is asked to search the web. */
export interface SearchService {
	readonly label: string;
	/** Never rejects; a search that is stopped is a problem like any. */
	search(query: string, count: number, signal: AbortSignal): Promise<Searched>;
}
