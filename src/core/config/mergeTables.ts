import type { Binding, ChannelAccount, ModelProvider, Price } from "./configSchema.ts";
import type { Path } from "./positionTree.ts";
import { layOver, type Resolved, sourceOf } from "./provenance.ts";
import type { ParsedConfig } from "./readConfigTables.ts";

export interface ResolvedAccount extends ChannelAccount {
	readonly channel: string;
	readonly id: string;
	/** Whether both the account and its channel are on. */
	readonly isEnabled: boolean;
}

/** One of the things that a table holds. */
interface Entry<Value> {
	readonly key: string;
	readonly value: Value;
	readonly path: Path;
}

export type PermissionList = "allow" | "ask" | "deny";

/** A higher layer's entry replaces the lower one's of the same key as a whole; those of the highest layer come first. */
function overlay<Value>(
	parts: readonly ParsedConfig[],
	entriesOf: (part: ParsedConfig) => readonly Entry<Value>[],
): ReadonlyMap<string, Resolved<Value>> {
	let merged = new Map<string, Resolved<Value>>();
	for (const part of parts) {
		const own = entriesOf(part).map(
			({ key, value, path }) => [key, layOver(value, sourceOf(part, path), merged.get(key))] as const,
		);
		const keys = new Set(own.map(([key]) => key));
		merged = new Map([...own, ...[...merged].filter(([key]) => !keys.has(key))]);
	}
	return merged;
}

export function mergeProviders(parts: readonly ParsedConfig[]): ReadonlyMap<string, Resolved<ModelProvider>> {
	return overlay(parts, ({ value }) =>
		Object.entries(value.modelProviders ?? {}).map(([id, provider]) => ({
			key: id,
			value: provider,
			path: ["modelProviders", id],
		})),
	);
}

/** The model of each role, by its name. */
export function mergeModelRoles(parts: readonly ParsedConfig[]): ReadonlyMap<string, Resolved<string>> {
	return overlay(parts, ({ value }) =>
		Object.entries(value.modelRoles ?? {}).map(([name, model]) => ({
			key: name,
			value: model,
			path: ["modelRoles", name],
		})),
	);
}

/** What models cost, by the beginning of `provider/model`. */
export function mergePrices(parts: readonly ParsedConfig[]): ReadonlyMap<string, Resolved<Price>> {
	return overlay(parts, ({ value }) =>
		Object.entries(value.prices ?? {}).map(([name, price]) => ({ key: name, value: price, path: ["prices", name] })),
	);
}

export function mergeBindings(parts: readonly ParsedConfig[]): readonly Resolved<Binding>[] {
	const byMatch = overlay(parts, ({ value }) =>
		(value.bindings ?? []).map((binding, index) => ({
			key: JSON.stringify([binding.match.channel, binding.match.accountId ?? null]),
			value: binding,
			path: ["bindings", index],
		})),
	);
	return [...byMatch.values()];
}

/** The accounts of every channel. What a channel says of all its accounts holds for those that say nothing themselves. */
export function mergeAccounts(parts: readonly ParsedConfig[]): readonly Resolved<ResolvedAccount>[] {
	// Field by field: who adds an account in the settings has not taken back what home says of the channel.
	const channels = overlay<unknown>(parts, ({ value }) =>
		Object.entries(value.channels ?? {}).flatMap(([name, channel]) =>
			(["enabled", "ownerIds"] as const)
				.filter((field) => channel[field] !== undefined)
				.map((field) => ({
					key: JSON.stringify([name, field]),
					value: channel[field],
					path: ["channels", name, field],
				})),
		),
	);
	const accounts = overlay(parts, ({ value }) =>
		Object.entries(value.channels ?? {}).flatMap(([channel, { accounts: byId = {} }]) =>
			Object.entries(byId).map(([id, account]) => ({
				key: JSON.stringify([channel, id]),
				value: { ...account, channel, id },
				path: ["channels", channel, "accounts", id],
			})),
		),
	);
	return [...accounts.values()].map(({ value, provenance }) => {
		const ofChannel = (field: string) => channels.get(JSON.stringify([value.channel, field]))?.value;
		const ownerIds = value.ownerIds ?? (ofChannel("ownerIds") as ChannelAccount["ownerIds"]);
		const isEnabled = value.enabled !== false && ofChannel("enabled") !== false;
		return { value: { ...value, isEnabled, ...(ownerIds && { ownerIds }) }, provenance };
	});
}

export function mergeRules(parts: readonly ParsedConfig[], list: PermissionList): readonly Resolved<string>[] {
	const rules = overlay(parts, ({ value }) =>
		(value.permissions?.[list] ?? []).map((rule, index) => ({
			key: rule,
			value: rule,
			path: ["permissions", list, index],
		})),
	);
	return [...rules.values()];
}
