import type * as vscode from "vscode";
import { discoverUserConfig } from "../../core/catalog/discoverUserConfig.ts";
import { staticAgents } from "../../core/catalog/staticAgents.ts";
import type { AgentDefinition } from "../../core/agents/agentDefinition.ts";
import { mainAgent } from "../../core/agents/mainAgent.ts";
import type { ResolvedConfig } from "../../core/config/resolveConfig.ts";
import { type BuiltinProvider, builtinProviders } from "../../core/models/builtinProviders.ts";
import { createDemoProvider } from "../../core/models/demoModel.ts";
import { ModelRegistry } from "../../core/models/modelRegistry.ts";
import { createServerProviders, type ServerProvider } from "../../core/models/serverProvider.ts";
import { systemClock } from "../../core/ports/clock.ts";
import type { Logger } from "../../core/ports/logger.ts";
import type { Secrets } from "../../core/ports/secrets.ts";
import { createSearchService, type KeyedSearchService } from "../../core/search/createSearchService.ts";
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
	/** What there is without any settings, the servers on this machine among them. */
	readonly builtin: readonly BuiltinProvider[];
	readonly #state: vscode.Memento;
	readonly #warn: (message: string) => void;

	private constructor(
		keeping: Keeping,
		logger: Logger,
		demo: ReturnType<typeof createDemoProvider>,
		builtin: readonly BuiltinProvider[],
	) {
		const warn = (message: string) => logger.warn(message);
		this.#state = keeping.globalState;
		this.#warn = warn;
		this.builtin = builtin;
		this.secrets = createVscodeSecrets(keeping.secrets);
		const sources = { secrets: this.secrets, environment: process.env, builtin };
		this.registry = new ModelRegistry([createLmProvider(), demo], "demo/demo", {
			servers: (configured, prices) => createServerProviders(configured, { ...sources, prices }),
			chosen: () => [getSetting("defaultModel", warn) || undefined, this.picked],
		});
	}

	/** Rejects with a `ProblemError` when the demo model's script cannot be used. */
	static async open(
		keeping: Keeping,
		logger: Logger,
		builtin: readonly BuiltinProvider[] = builtinProviders,
	): Promise<EditorModels> {
		const warn = (message: string) => logger.warn(message);
		const script = await readDemoScript(getSetting("demo.script", warn));
		const pace = getSetting("demo.pace", warn);
		return new EditorModels(
			keeping,
			logger,
			createDemoProvider({ pace, clock: systemClock, ...(script && { script }) }),
			builtin,
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

	/** What searches the web by the settings as they are now; undefined when nothing does. */
	findSearch(): KeyedSearchService | undefined {
		const settings = {
			backend: getSetting("webSearch.backend", this.#warn),
			baseUrl: getSetting("webSearch.baseUrl", this.#warn),
		};
		return createSearchService(settings, { secrets: this.secrets, environment: process.env });
	}

	/** The providers behind an address, by home's configuration and the user's settings as they are now. */
	async servers(): Promise<readonly ServerProvider[]> {
		const { modelProviders: configured, prices } = await this.#readConfig();
		this.registry.configure(configured, prices);
		const values = new Map([...configured].map(([id, { value }]) => [id, value] as const));
		return createServerProviders(values, { secrets: this.secrets, environment: process.env, builtin: this.builtin });
	}

	/** The agents that may have keys of their own: those of the user's `agents.list`. */
	async keyedAgents(): Promise<readonly AgentDefinition[]> {
		const all = staticAgents(await this.#readConfig(), homeFolder());
		return all.filter(({ name }) => name !== mainAgent.name);
	}

	#readConfig(): Promise<ResolvedConfig> {
		const { settings } = readCatalogSettings(null);
		return discoverUserConfig(homeFolder(), settings?.user ?? {});
	}
}
