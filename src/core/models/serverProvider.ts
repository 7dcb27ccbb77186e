import { builtinProviders, type BuiltinProvider } from "./builtinProviders.ts";
import { createHttpProvider, type HttpProvider, type ListedModel, type Wire } from "./httpProvider.ts";
import { findKey, type FoundKey, type KeyOwner, type KeySources } from "./providerKey.ts";

/** `[model_providers.<id>]` of home's config.toml, or an entry of the setting `muster.modelProviders`. */
export interface ConfiguredProvider {
	readonly name?: string;
	readonly baseUrl: string;
	readonly envKey?: string;
	readonly wireApi?: Wire | "google";
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
}

/** How long a spawn waits for a server to say what it has. */
const listingMs = 5_000;

interface Server extends Omit<BuiltinProvider, "wire"> {
	readonly wire: Wire | "google";
	readonly isVariableNamed: boolean;
	readonly headers: Readonly<Record<string, string>>;
	readonly secretHeaders: Readonly<Record<string, string>>;
}

/** The configured providers, the highest layer's first, and then the built-in ones that none of them replaces. */
export function createServerProviders(
	configured: ReadonlyMap<string, ConfiguredProvider>,
	sources: KeySources,
): readonly ServerProvider[] {
	const own = [...configured].map(([id, provider]) => readConfigured(id, provider, sources.environment));
	const others = builtinProviders
		.filter(({ id }) => !configured.has(id))
		.map((provider): Server => ({ ...provider, isVariableNamed: false, headers: {}, secretHeaders: {} }));
	return [...own, ...others].map((server) => createServerProvider(server, sources));
}

function readConfigured(id: string, provider: ConfiguredProvider, environment: KeySources["environment"]): Server {
	const { baseUrl, envKey, httpHeaders = {}, envHttpHeaders = {}, queryParams = {} } = provider;
	const url = new URL(baseUrl);
	for (const [name, value] of Object.entries(queryParams)) url.searchParams.set(name, value);
	// A built-in id at its own address is still that vendor; at another address it is only a name.
	const builtin = builtinProviders.find((each) => each.id === id && new URL(each.baseUrl).origin === url.origin);
	const keyVariable = envKey ?? builtin?.envKey;
	return {
		id,
		label: provider.name ?? builtin?.label ?? id,
		baseUrl: url.href,
		wire: provider.wireApi ?? builtin?.wire ?? "chat",
		isLocal: builtin?.isLocal ?? false,
		...(keyVariable !== undefined && { envKey: keyVariable }),
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

function createServerProvider(server: Server, sources: KeySources): ServerProvider {
	const { id, label, baseUrl, wire, envKey: keyVariable, isVariableNamed, isLocal } = server;
	const { origin } = new URL(baseUrl);
	const owner: KeyOwner = { id, origin, isVariableNamed, ...(keyVariable !== undefined && { keyVariable }) };
	const find = () => findKey(owner, sources);
	const withKey = (key: () => Promise<string | undefined>) =>
		createHttpProvider({ ...server, wire: wire === "google" ? "chat" : wire, apiKey: key });
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
			if (wire === "google")
				return `${label} speaks the dialect “google”, which is not in this version; take an address that speaks chat, responses or anthropic.`;
			if (keyVariable === undefined) return undefined;
			const key = await find().catch(() => "unreadable" as const);
			if (key === "unreadable") return `The key of ${label} could not be read from where it is kept.`;
			return key ? undefined : describeMissingKey(label, keyVariable);
		},
		async isSetUp() {
			if (wire === "google") return false;
			if (isVariableNamed) return true;
			const key = await find().catch(() => undefined);
			return key?.from === "entered";
		},
		defaultModelId: () => (listed ??= askForDefault()),
	};
}

function describeMissingKey(label: string, variable: string): string {
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
