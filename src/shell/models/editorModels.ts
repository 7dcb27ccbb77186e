import type * as vscode from "vscode";
import { discoverModelProviders } from "../../core/catalog/discoverModelProviders.ts";
import { createDemoProvider } from "../../core/models/demoModel.ts";
import { ModelRegistry } from "../../core/models/modelRegistry.ts";
import { createServerProviders, type ServerProvider } from "../../core/models/serverProvider.ts";
import { systemClock } from "../../core/ports/clock.ts";
import type { Logger } from "../../core/ports/logger.ts";
import type { Secrets } from "../../core/ports/secrets.ts";
import { readCatalogSettings } from "../adapters/catalogSettings.ts";
import { homeFolder } from "../adapters/folders.ts";
import { createLmProvider } from "../adapters/lmProvider.ts";
import { getSetting } from "../adapters/settings.ts";
import { createVscodeSecrets } from "../adapters/vscodeSecrets.ts";
import { readDemoScript } from "./readDemoScript.ts";

/** What the extension keeps for itself, outside of every workspace. */
export type Keeping = Pick<vscode.ExtensionContext, "secrets" | "globalState">;

const pickedKey = "muster.pickedModel";

/** The models of this window: what there is, whose keys there are, and what the person has picked. */
export class EditorModels {
	readonly registry: ModelRegistry;
	readonly secrets: Secrets;
	readonly #state: vscode.Memento;

	private constructor(keeping: Keeping, logger: Logger, demo: ReturnType<typeof createDemoProvider>) {
		const warn = (message: string) => logger.warn(message);
		this.#state = keeping.globalState;
		this.secrets = createVscodeSecrets(keeping.secrets);
		const sources = { secrets: this.secrets, environment: process.env };
		this.registry = new ModelRegistry([createLmProvider(), demo], "demo/demo", {
			servers: (configured) => createServerProviders(configured, sources),
			chosen: () => [getSetting("defaultModel", warn) || undefined, this.picked],
		});
	}

	/** Rejects with a `ProblemError` when the demo model's script cannot be used. */
	static async open(keeping: Keeping, logger: Logger): Promise<EditorModels> {
		const warn = (message: string) => logger.warn(message);
		const script = await readDemoScript(getSetting("demo.script", warn));
		const pace = getSetting("demo.pace", warn);
		return new EditorModels(
			keeping,
			logger,
			createDemoProvider({ pace, clock: systemClock, ...(script && { script }) }),
		);
	}

	/** The model last chosen with *Pick Model*. */
	get picked(): string | undefined {
		const picked = this.#state.get<unknown>(pickedKey);
		return typeof picked === "string" ? picked : undefined;
	}

	async pick(reference: string | undefined): Promise<void> {
		await this.#state.update(pickedKey, reference);
	}

	/** The providers behind an address, by home's configuration and the user's settings as they are now. */
	async servers(): Promise<readonly ServerProvider[]> {
		const { settings } = readCatalogSettings(null);
		const configured = await discoverModelProviders(homeFolder(), settings?.user ?? {});
		this.registry.configure(configured);
		const values = new Map([...configured].map(([id, { value }]) => [id, value] as const));
		return createServerProviders(values, { secrets: this.secrets, environment: process.env });
	}
}
