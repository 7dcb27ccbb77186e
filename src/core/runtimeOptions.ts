import type { CatalogSettings } from "./catalog/discoverCatalog.ts";
import type { ModelRegistry } from "./models/modelRegistry.ts";
import type { EditorPort } from "./ports/editor.ts";
import type { LanguagesPort } from "./ports/languages.ts";
import type { Clock } from "./ports/clock.ts";
import type { Logger } from "./ports/logger.ts";
import type { Secrets } from "./ports/secrets.ts";
import type { SignInBrowser } from "./ports/signInBrowser.ts";
import type { WebAccess } from "./ports/webAccess.ts";
import type { SearchService } from "./search/searchService.ts";
import type { NewHost } from "./store/hosts.ts";
import type { KillAt } from "./store/workerProtocol.ts";

export interface RuntimeOptions {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly models: ModelRegistry;
	readonly hostKind: NewHost["kind"];
	readonly workerFile: URL;
	/** Holds this workspace's `muster.db`. */
	readonly storeFolder: string;
	/** Holds all stores, and no tool opens it. Default: the store's own folder. */
	readonly dataFolder?: string;
	readonly homeFolder: string;
	/** The open workspace folder, or null. */
	readonly repoFolder: string | null;
	readonly ripgrepPath: string | undefined;
	/** What the editor's settings add to the files, as they are now. */
	catalogSettings?(): CatalogSettings;
	/** Nothing of the repo is read, started or sent before this is true. */
	isTrusted(): boolean;
	/** What people have moved out of configuration files. Default: nothing. */
	readonly secrets?: Secrets;
	/** In what a person signs in to MCP servers; nobody does without. */
	readonly signInBrowser?: SignInBrowser;
	/** The documents that a person has open here. */
	readonly editor?: EditorPort;
	/** The language services of the editor, where there is one. */
	readonly languages?: LanguagesPort;
	/** By what pages of the web are reached. Default: this machine's own network. */
	readonly web?: WebAccess;
	/** What is asked to search the web, as configured now; undefined where nothing is. */
	findSearch?(): SearchService | undefined;
	/** Whether ordinary files are written unasked, where this process has a say in it. */
	edits?(): "ask" | "allow";
	/** Who may approve plans: the user alone, or agents too. */
	planApprover?(): "user" | "agent";
	/** How long a question waits for an answer before it counts as denied; 0, the default, is for ever. */
	expireAfterMinutes?(): number;
	/** How many subagents run at once, where this process has settings; undefined where they don't say. */
	laneLimit?(): number | undefined;
	/** How many turns of main agents run at once, where this process has a say in it. */
	mainLaneLimit?(): number | undefined;
	/** How long ended runs stay in the lists, where this process has settings; 0 = for ever. */
	archiveAfterMinutes?(): number | undefined;
	/** Only tests set it. */
	readonly killAt?: KillAt;
}
