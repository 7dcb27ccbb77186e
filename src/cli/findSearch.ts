import { readSetting } from "../core/config/settings.ts";
import { noSecrets } from "../core/ports/secrets.ts";
import { createSearchService } from "../core/search/createSearchService.ts";
import type { SearchService } from "../core/search/searchService.ts";
import { stderrLogger } from "./openStore.ts";

/** What the settings `muster.webSearch` are in the editor, by variables of the environment; the key is one of them too. */
export function findSearch(): SearchService | undefined {
	const { MUSTER_WEB_SEARCH: backend, MUSTER_WEB_SEARCH_URL: baseUrl } = process.env;
	const warn = (message: string) => stderrLogger.warn(message);
	return createSearchService(
		{
			backend: readSetting("webSearch.backend", backend || undefined, warn),
			baseUrl: readSetting("webSearch.baseUrl", baseUrl, warn),
		},
		{ secrets: noSecrets, environment: process.env },
	);
}
