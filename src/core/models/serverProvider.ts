import { builtinProviders, type BuiltinProvider } from "./builtinProviders.ts";
import { createHttpProvider, type HttpProvider, type ListedModel, type Wire } from "./httpProvider.ts";
import { type KeyChain, usersKeys } from "./keyChain.ts";
import type { PriceTable } from "./priceTable.ts";
import { findKey, type FoundKey, type KeyOwner, type KeySources } from "./providerKey.ts";

/** `[model_providers.<id>]` of home's config.toml, or an entry of the setting `muster.modelProviders`. */
export interface ConfiguredProvider {
	readonly name?: string;
	readonly baseUrl: string;
	readonly envKey?: string;
	readonly wireApi?: Wire;
	readonly httpHeaders?: Readonly<Record<string, string>>;
	readonly envHttpHeaders?: Readonly<Record<string, string>>;
	readonly queryParams?: Readonly<Record<string, string>>;
}

/** A provider behind an address, with what surfaces need to know about its key. */
export interface ServerProvider extends HttpProvider {
	/** Where its key goes, and nowhere else. */
	readonly origin: string;
	readonly isLocal: boolean;
	/** Whether it answers nobody without a key. */
	readonly needsKey: boolean;
	readonly keyVariable?: string;
	/** Rejects when the keys cannot be read. */
	findKey(): Promise<FoundKey | undefined>;
	/** The same with this key, for trying it before it is kept. */
	withKey(key: string | undefined): HttpProvider;
	findObstacle(): Promise<string | undefined>;
	isSetUp(): Promise<boolean>;
	defaultModelId(): Promise<string | undefined>;
	forAgents(chain: KeyChain): ServerProvider;
}

export interface ServerSources extends KeySources {
	/** What the user says models cost, by the beginning of `provider/model`. */
	readonly prices?: PriceTable;
	/** What there is without any settings; else the usual ones at their usual addresses. */
	readonly builtin?: readonly BuiltinProvider[];
}

/** How long a spawn waits for a server to say what it has. */
const listingMs = 5_000;

interface Server extends BuiltinProvider {
	readonly isVariableNamed: boolean;
	readonly headers: Readonly<Record<string, string>>;
	readonly secretHeaders: Readonly<Record<string, string>>;
}

/** The configured providers, the highest layer's first, and then the built-in ones that none of them replaces. */
export function createServerProviders(
	configured: ReadonlyMap<string, ConfiguredProvider>,
	sources: ServerSources,
): readonly ServerProvider[] {
	const { builtin = builtinProviders } = sources;
	const own = [...configured].map(([id, provider]) => readConfigured(id, provider, builtin, sources.environment));
	const others = builtin
		.filter(({ id }) => !configured.has(id))
		.map((provider): Server => ({ ...provider, isVariableNamed: false, headers: {}, secretHeaders: {} }));
	return [...own, ...others].map((server) => createServerProvider(server, sources));
}

function readConfigured(
	id: string,
	provider: ConfiguredProvider,
	builtins: readonly BuiltinProvider[],
	environment: KeySources["environment"],
): Server {
	const { baseUrl, envKey, httpHeaders = {}, envHttpHeaders = {}, queryParams = {} } = provider;
	const url = new URL(baseUrl);
	for (const [name, value] of Object.entries(queryParams)) url.searchParams.set(name, value);
	// A built-in id at its own address is still that vendor; at another address it is only a name.
	const builtin = builtins.find((each) => each.id === id && new URL(each.baseUrl).origin === url.origin);
	const keyVariable = envKey ?? builtin?.envKey;
	return {
		id,
		label: provider.name ?? builtin?.label ?? id,
		baseUrl: url.href,
		wire: provider.wireApi ?? builtin?.wire ?? "chat",
		isLocal: builtin?.isLocal ?? false,
		...(keyVariable !== undefined && { envKey: keyVariable }),
		...(envKey === undefined && builtin?.otherEnvKeys && { otherEnvKeys: builtin.otherEnvKeys }),
		...(builtin?.usual && { usual: builtin.usual }),
		isVariableNamed: envKey !== undefined,
		headers: httpHeaders,
		secretHeaders: Object.fromEntries(
			Object.entries(envHttpHeaders).flatMap(([name, variable]) => {
				const value = environment[variable]?.trim();
				return value ? [[name, value] as const] : [];
			}),
		),
	};
}

/** Of a table by `provider/model`, what is about one provider, by the model alone. */
function pricesOf(id: string, prices: PriceTable = {}): PriceTable {
	const own = Object.entries(prices).filter(([name]) => name.startsWith(`${id}/`));
	return Object.fromEntries(own.map(([name, price]) => [name.slice(id.length + 1), price]));
}

function createServerProvider(server: Server, sources: ServerSources): ServerProvider {
	const {
		id,
		label,
		baseUrl,
		envKey: keyVariable,
		otherEnvKeys: otherVariables = [],
		isVariableNamed,
		isLocal,
	} = server;
	const { origin } = new URL(baseUrl);
	const owner: KeyOwner = {
		id,
		origin,
		isVariableNamed,
		otherVariables,
		...(keyVariable !== undefined && { keyVariable }),
	};
	const find = () => findKey(owner, sources);
	const withKey = (key: () => Promise<string | undefined>) =>
		createHttpProvider({ ...server, apiKey: key, prices: pricesOf(id, sources.prices) });
	const provider = withKey(async () => (await find())?.key);
	let listed: Promise<string | undefined> | undefined;
	const askForDefault = async () => {
		const list = await provider.listModels(AbortSignal.timeout(listingMs));
		const found = list.ok ? chooseDefault(list.models, server.usual) : undefined;
		// Asked again next time: the server may be up, or the key right, by then.
		if (found === undefined) listed = undefined;
		return found;
	};
	return {
		...provider,
		origin,
		isLocal,
		needsKey: keyVariable !== undefined,
		...(keyVariable !== undefined && { keyVariable }),
		findKey: find,
		withKey: (key) => withKey(async () => key),
		async findObstacle() {
			if (keyVariable === undefined) return undefined;
			const key = await find().catch(() => "unreadable" as const);
			if (key === "unreadable") return `The key of ${label} could not be read from where it is kept.`;
			return key ? undefined : describeMissingKey(label, keyVariable, sources.chain);
		},
		async isSetUp() {
			if (isVariableNamed) return true;
			const key = await find().catch(() => undefined);
			return key?.from === "entered";
		},
		defaultModelId: () => (listed ??= askForDefault()),
		forAgents: (chain) => createServerProvider(server, { ...sources, chain }),
	};
}

function describeMissingKey(label: string, variable: string, { agents, isShared }: KeyChain = usersKeys): string {
	const [agent] = agents;
	if (agent !== undefined && !isShared)
		return `the agent ${agent} uses no keys but its own, and has none for ${label}: enter one with “Muster: Set API Key…”.`;
	return `${label} has no key: enter it with “Muster: Set API Key…”, or set the environment variable ${variable}.`;
}

/** The newest of the usual ones; a server that is not known has an order of its own, and its first is meant to be used. */
export function chooseDefault(models: readonly ListedModel[], usual: RegExp | undefined): string | undefined {
	const ids = models.map(({ id }) => id);
	if (!usual) return ids[0];
	const versionOf = (id: string) => id.replace(/-\d{8}$/u, "");
	return ids
		.filter((id) => usual.test(id))
		.toSorted((one, other) => versionOf(other).localeCompare(versionOf(one), "en", { numeric: true }))[0];
}
