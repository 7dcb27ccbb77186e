import type { CatalogSettings } from "./catalog/discoverCatalog.ts";
import type { ModelRegistry } from "./models/modelRegistry.ts";
import type { EditorPort } from "./ports/editor.ts";
import type { Clock } from "./ports/clock.ts";
import type { Logger } from "./ports/logger.ts";
import type { NewHost } from "./store/hosts.ts";

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
	/** The documents that a person has open here. */
	readonly editor?: EditorPort;
	/** Whether ordinary files are written unasked, where this process has a say in it. */
	edits?(): "ask" | "allow";
	/** Who may approve plans: the user alone, or agents too. */
	planApprover?(): "user" | "agent";
	/** How many subagents run at once, where this process has a say in it. */
	laneLimit?(): number;
	/** How many turns of main agents run at once, where this process has a say in it. */
	mainLaneLimit?(): number;
	/** How long ended runs stay in the lists; 0 = for ever. */
	archiveAfterMinutes?(): number;
	/** Only tests set it. */
	readonly killAt?: { readonly commit: number; readonly moment: "before" | "after" };
}
