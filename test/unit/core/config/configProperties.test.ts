/** What holds for every configuration, not only for those that somebody thought of. */
import * as fc from "fast-check";
import { existsSync } from "node:fs";
import { stringify } from "smol-toml";
import { describe, expect, it } from "vitest";
import { loadConfigLayers } from "../../../../src/core/config/configLayers.ts";
import type { ConfigLayer } from "../../../../src/core/config/configProblem.ts";
import { explainConfig } from "../../../../src/core/config/explainConfig.ts";
import { resolveConfig, type ResolvedConfig } from "../../../../src/core/config/resolveConfig.ts";
import { temporaryFolder, withFiles } from "../../../fakes/temporaryFolder.ts";
import { parsed } from "./aConfig.ts";
import { vocabulary } from "./vocabulary.ts";

const name = fc.constantFrom("a", "b", "c");
const tools = fc.subarray(["read", "grep", "exec", "web_fetch"]);
const server = fc.oneof(
	fc.record({ command: name, enabled_tools: tools, disabled_tools: tools }, { requiredKeys: ["command"] }),
	fc.record({ url: fc.constantFrom("https://x.example.org", "https://y.example.org") }),
	fc.record(
		{ enabled: fc.boolean(), disabled_tools: tools, tool_timeout_sec: fc.integer({ min: 1, max: 600 }) },
		{ requiredKeys: [] },
	),
);
const subagents = fc.record(
	{
		max_concurrent: fc.integer({ min: 1, max: 64 }),
		timeout_seconds: fc.integer({ min: 0, max: 5000 }),
		allow_tools: tools,
		deny_tools: tools,
		thinking: fc.constantFrom("low", "high"),
		budget: fc.record({ tokens: fc.integer({ min: 1, max: 100 }) }, { requiredKeys: [] }),
	},
	{ requiredKeys: [] },
);
const configuration = fc.record({
	mcp_servers: fc.dictionary(name, server),
	agents: fc.record({
		defaults: fc.record({ subagents }),
		list: fc.uniqueArray(fc.record({ id: name, name }), { selector: ({ id }) => id }),
	}),
	permissions: fc.record({ deny: fc.subarray(["shell", "grep"]) }),
});
const layers = fc.dictionary(fc.constantFrom<ConfigLayer>("home", "role", "repo", "settings"), configuration);

/** The values without where they come from. */
function valuesOf(config: ResolvedConfig): unknown {
	const plain = (key: string, value: unknown): unknown => {
		if (value instanceof Map) return Object.fromEntries(value);
		return key === "provenance" || key === "problems" || key === "skipped" ? undefined : value;
	};
	return JSON.parse(JSON.stringify(config, plain));
}

async function partsOf(texts: Readonly<Record<string, object>>) {
	const parts = Object.entries(texts).map(([layer, value]) => parsed(layer as ConfigLayer, stringify(value)));
	return {
		base: "role" in texts ? ("role" as const) : ("home" as const),
		parts: await Promise.all(parts),
		hasOwnServers: false,
	};
}

describe("every configuration", () => {
	it("resolves by layer and name alone, in whatever order its parts come", async () => {
		await fc.assert(
			fc.asyncProperty(layers, fc.nat(), async (texts, turn) => {
				const { parts, ...rest } = await partsOf(texts);
				const moved = [
					...parts.slice(turn % (parts.length + 1)),
					...parts.slice(0, turn % (parts.length + 1)),
				].toReversed();
				const resolved = resolveConfig({ ...rest, parts }, vocabulary);
				expect(resolveConfig({ ...rest, parts: moved }, vocabulary)).toEqual(resolved);
				for (const [key, { provenance }] of resolved.mcpServers) expect(provenance.layer).toBe(layerOf(texts, key));
			}),
		);
	});

	it("resolves to the same when a part of it is laid on twice", async () => {
		await fc.assert(
			fc.asyncProperty(layers, async (texts) => {
				const { parts, ...rest } = await partsOf(texts);
				const once = resolveConfig({ ...rest, parts }, vocabulary);
				const twice = resolveConfig({ ...rest, parts: parts.flatMap((part) => [part, part]) }, vocabulary);
				expect(valuesOf(twice)).toEqual(valuesOf(once));
			}),
		);
	});

	it("gets nothing from a repo that it would not have without: limits, tools, permissions", async () => {
		await fc.assert(
			fc.asyncProperty(layers, async (texts) => {
				const { repo: _, ...without } = texts;
				const wide = resolveConfig(await partsOf(without), vocabulary);
				const narrow = resolveConfig(await partsOf(texts), vocabulary);
				const limit = (config: ResolvedConfig) => config.defaults.runTimeoutSeconds?.value || Number.POSITIVE_INFINITY;
				expect(narrow.defaults.maxConcurrent?.value).toBeLessThanOrEqual(wide.defaults.maxConcurrent?.value ?? 0);
				expect(limit(narrow)).toBeLessThanOrEqual(limit(wide));
				const denied = (config: ResolvedConfig) =>
					(config.defaults.denyTools?.value ?? []).map(vocabulary.canonicalToolName);
				expect(denied(narrow)).toEqual(expect.arrayContaining(denied(wide)));
				const allowed = (config: ResolvedConfig) =>
					config.defaults.allowTools?.value ?? ["read", "grep", "exec", "web_fetch"];
				expect(allowed(wide)).toEqual(expect.arrayContaining(allowed(narrow)));
				for (const [key, { value, needsConsent }] of narrow.mcpServers) {
					const before = wide.mcpServers.get(key)?.value;
					if (needsConsent) continue;
					expect({ command: value.command, url: value.url }).toEqual({ command: before?.command, url: before?.url });
					expect(value.disabledTools ?? []).toEqual(expect.arrayContaining(before?.disabledTools ?? []));
				}
			}),
		);
	});

	it("loses nothing but the entry with the mistake", async () => {
		const word = fc.constantFrom("x", "subagents", "accounts", "enabled", "tools", "id", "command", "match", "deny");
		const { value } = fc.letrec((tie) => ({
			value: fc.oneof(
				{ maxDepth: 3 },
				fc.constantFrom<unknown>(1, -1, true, "x", "", "low", 1e300),
				fc.array(tie("value"), { maxLength: 2 }),
				fc.dictionary(word, tie("value"), { maxKeys: 3 }),
			),
		}));
		const tables = { mcp_servers: value, agents: value, channels: value, model_providers: value, permissions: value };
		await fc.assert(
			fc.asyncProperty(fc.record(tables, { requiredKeys: [] }), async (wrong) => {
				const good = { base_url: "https://example.org" };
				const { value: kept } = await parsed(
					"home",
					stringify({ ...wrong, model_providers: { ...Object(wrong.model_providers), good } }),
				);
				expect(kept.modelProviders?.["good"]).toEqual({ baseUrl: "https://example.org" });
			}),
		);
	});

	it("names a file that is there, for everything that is not built in", async () => {
		const folder = temporaryFolder();
		await fc.assert(
			fc.asyncProperty(layers, async ({ home = {}, role = {}, repo = {} }) => {
				withFiles(folder, {
					"home/.agents/config.toml": stringify(home),
					"home/.agents/roles/r/.agents/config.toml": stringify(role),
					"repo/.agents/config.toml": stringify(repo),
				});
				const loaded = await loadConfigLayers({ homeDir: `${folder}/home`, repoDir: `${folder}/repo`, role: "r" });
				const { values, skipped, problems } = explainConfig(resolveConfig(loaded, vocabulary), loaded);
				const sources = values.flatMap((value) => [value, ...value.shadows, ...Object.values(value.changes ?? {})]);
				for (const { layer, file } of [...sources, ...skipped.map(({ source }) => source)]) {
					expect(file !== undefined && existsSync(file)).toBe(layer !== "builtIn");
				}
				for (const { file, line } of problems) expect([existsSync(file), line]).toEqual([true, expect.any(Number)]);
			}),
			{ numRuns: 30 },
		);
	});
});

/** Which layer a server is from: the highest that says how to connect to it; home's only where there is no role. */
function layerOf(texts: Readonly<Record<string, unknown>>, key: string): string | undefined {
	const order = ["repo", "role" in texts ? "role" : "home"];
	return order.find((layer) => {
		const { mcp_servers: servers } = (texts[layer] ?? {}) as { mcp_servers?: Record<string, object> };
		return servers?.[key] !== undefined && ("command" in servers[key] || "url" in servers[key]);
	});
}
