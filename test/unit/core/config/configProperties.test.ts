/** What holds for every configuration, not only for those that somebody thought of. */
import * as fc from "fast-check";
import { existsSync, readFileSync } from "node:fs";
import { stringify } from "smol-toml";
import { describe, expect, it } from "vitest";
import { loadConfigLayers } from "../../../../src/core/config/configLayers.ts";
import type { StaticAgent } from "../../../../src/core/config/agentsFields.ts";
import type { ConfigLayer } from "../../../../src/core/config/configProblem.ts";
import { explainConfig } from "../../../../src/core/config/explainConfig.ts";
import type { Source } from "../../../../src/core/config/provenance.ts";
import { resolveConfig, type ResolvedConfig } from "../../../../src/core/config/resolveConfig.ts";
import { temporaryFolder, withFiles } from "../../../fakes/temporaryFolder.ts";
import { parsed } from "./aConfig.ts";
import { vocabulary } from "./vocabulary.ts";

const name = fc.constantFrom("a", "b", "c");
const tools = fc.subarray(["read", "grep", "exec", "web_fetch"]);
const count = fc.integer({ min: 1, max: 100 });
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
		max_turns: count,
		archive_after_minutes: fc.integer({ min: 0, max: 200 }),
		role_max_concurrent: fc.dictionary(name, fc.integer({ min: 1, max: 5 })),
		model: fc.constantFrom("demo/demo", "x/large"),
		budget: fc.record({ tokens: count, turns: count, spawns: count }, { requiredKeys: [] }),
	},
	{ requiredKeys: [] },
);
const staticAgent = fc.record(
	{
		id: fc.constantFrom("a", "b", "c", "main"),
		name,
		default: fc.boolean(),
		model: fc.constantFrom("demo/demo", "x/large"),
		workspace: fc.constantFrom("/w", "/v"),
		system_prompt: name,
		role: name,
		sandbox: fc.constantFrom("trusted", "restricted"),
		auth_fallback: fc.constantFrom("parent", "none"),
		tools: fc.record({ allow: tools, deny: tools }, { requiredKeys: [] }),
		subagents: fc.record(
			{
				allow_agents: fc.subarray(["a", "b", "*"]),
				allow_tools: tools,
				deny_tools: tools,
				model: fc.constantFrom("demo/demo", "x/large"),
				timeout_seconds: fc.integer({ min: 0, max: 2000 }),
			},
			{ requiredKeys: [] },
		),
	},
	{ requiredKeys: ["id"] },
);
const rules = fc.subarray(["shell", "grep", "edit_file(src/**)"]);
const configuration = fc.record({
	mcp_servers: fc.dictionary(name, server),
	agents: fc.record({
		defaults: fc.record({ subagents }),
		list: fc.uniqueArray(staticAgent, { selector: ({ id }) => id }),
	}),
	permissions: fc.record({ allow: rules, ask: rules, deny: rules }),
	model_providers: fc.dictionary(name, fc.record({ base_url: fc.constantFrom("https://x.example.org") })),
	model_roles: fc.dictionary(name, fc.constantFrom("demo/demo", "x/large")),
	prices: fc.dictionary(name, fc.constant({ input: 1, output: 2 })),
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
				// Settings lie above a repo: what they say is the user's own.
				const wide = resolveConfig(await partsOf(without), vocabulary);
				const narrow = resolveConfig(await partsOf(texts), vocabulary);
				expectNarrowerDefaults(narrow.defaults, wide.defaults);
				for (const [key, { value, needsConsent }] of narrow.mcpServers) {
					const before = wide.mcpServers.get(key)?.value;
					if (needsConsent) continue;
					expect({ command: value.command, url: value.url }).toEqual({ command: before?.command, url: before?.url });
					expect(value.disabledTools ?? []).toEqual(expect.arrayContaining(before?.disabledTools ?? []));
				}
			}),
		);
	});

	it("gets nothing from a repo that it would not have without: models, static agents, rules", async () => {
		await fc.assert(
			fc.asyncProperty(layers, async (texts) => {
				const { repo: _, ...without } = texts;
				const wide = resolveConfig(await partsOf(without), vocabulary);
				const narrow = resolveConfig(await partsOf(texts), vocabulary);
				const plain = (map: ReadonlyMap<string, { readonly value: unknown }>) =>
					Array.from(map, ([key, { value }]) => [key, value]);
				expect(plain(narrow.modelProviders)).toEqual(plain(wide.modelProviders));
				expect(plain(narrow.modelRoles)).toEqual(plain(wide.modelRoles));
				// It may name another default, and the name says whose it is: spawning asks whether the user has set it up.
				const { model } = narrow.defaults;
				const isOwn = model?.provenance.layer !== "repo";
				expect([wide.defaults.model?.value, isOwn ? undefined : model.value]).toContain(model?.value);

				expect(narrow.defaultAgent.value).toBe(wide.defaultAgent.value);
				expect([...narrow.agents.keys()]).toEqual([...wide.agents.keys()]);
				for (const [id, { value }] of narrow.agents) {
					const most = wide.defaults.runTimeoutSeconds?.value ?? 900;
					expectNarrowerAgent(value, wide.agents.get(id)?.value ?? { id }, most);
				}

				const said = (config: ResolvedConfig, list: "allow" | "ask" | "deny") =>
					config.permissions[list].map(({ value }) => value);
				expect(said(narrow, "allow")).toEqual(said(wide, "allow"));
				expect(said(narrow, "ask")).toEqual(expect.arrayContaining(said(wide, "ask")));
				expect(said(narrow, "deny")).toEqual(expect.arrayContaining(said(wide, "deny")));
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

	it("names a line that contains the key", async () => {
		const folder = temporaryFolder();
		await fc.assert(
			fc.asyncProperty(layers, async ({ home = {}, role = {}, repo = {} }) => {
				withFiles(folder, {
					"home/.agents/config.toml": stringify(home),
					"home/.agents/roles/r/.agents/config.toml": stringify(role),
					"repo/.agents/config.toml": stringify(repo),
				});
				const loaded = await loadConfigLayers({ homeDir: `${folder}/home`, repoDir: `${folder}/repo`, role: "r" });
				const { values } = explainConfig(resolveConfig(loaded, vocabulary), loaded);
				for (const { name: key, value, changes = {}, shadows, ...own } of values) {
					const word = keyOf(key, value);
					for (const source of [own, ...shadows]) expect(lineOf(source)).toMatch(word);
					for (const [field, { shadows: below, ...change }] of Object.entries(changes)) {
						expect(lineOf(change)).toMatch(wordFor(field.split(".").at(-1) ?? ""));
						// What it changed may have said nothing of the field, and then it is where that is written.
						for (const source of below) expect(lineOf(source)).not.toBe("");
					}
				}
			}),
			{ numRuns: 40 },
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

const canonical = (list: readonly string[] = []) => list.map(vocabulary.canonicalToolName);
/** 0 is no limit. */
const time = (limit: number | undefined) => limit || Number.POSITIVE_INFINITY;

function expectNarrowerDefaults(narrow: ResolvedConfig["defaults"], wide: ResolvedConfig["defaults"]): void {
	for (const field of ["maxConcurrent", "maxTurns"] as const) {
		expect(narrow[field]?.value).toBeLessThanOrEqual(wide[field]?.value ?? 0);
	}
	for (const field of ["runTimeoutSeconds", "archiveAfterMinutes"] as const) {
		expect(time(narrow[field]?.value)).toBeLessThanOrEqual(time(wide[field]?.value));
	}
	for (const field of ["budget", "roleMaxConcurrent"] as const) {
		const less: Readonly<Record<string, number>> = { ...narrow[field]?.value };
		for (const [key, limit] of Object.entries({ ...wide[field]?.value })) {
			expect(less[key]).toBeLessThanOrEqual(limit);
		}
	}
	expectNarrowerTools(
		{ allow: narrow.allowTools?.value, deny: narrow.denyTools?.value },
		{ allow: wide.allowTools?.value, deny: wide.denyTools?.value },
	);
}

function expectNarrowerAgent(narrow: StaticAgent, wide: StaticAgent, usualTimeout: number): void {
	const { sandbox, tools: ownTools, subagents: own, ...rest } = narrow;
	const { sandbox: sandboxBefore, tools: toolsBefore, subagents: before, ...restBefore } = wide;
	expect(rest).toEqual(restBefore);
	expect(["restricted", sandboxBefore]).toContain(sandbox);
	expectNarrowerTools({ ...ownTools }, { ...toolsBefore });
	expectNarrowerTools(
		{ allow: own?.allowTools, deny: own?.denyTools },
		{ allow: before?.allowTools, deny: before?.denyTools },
	);
	expect(own?.model).toBe(before?.model);
	const allowed = before?.allowAgents ?? [];
	const others = (own?.allowAgents ?? []).filter((id) => !allowed.includes("*") && !allowed.includes(id));
	expect(others).toEqual([]);
	const limit = (seconds: number | undefined) => time(seconds ?? usualTimeout);
	expect(limit(own?.runTimeoutSeconds)).toBeLessThanOrEqual(limit(before?.runTimeoutSeconds));
}

interface Lists {
	readonly allow?: readonly string[] | undefined;
	readonly deny?: readonly string[] | undefined;
}

function expectNarrowerTools(narrow: Lists, wide: Lists): void {
	expect(canonical(narrow.deny)).toEqual(expect.arrayContaining(canonical(wide.deny)));
	const every = ["read", "grep", "exec", "web_fetch"];
	expect(canonical(wide.allow ?? every)).toEqual(expect.arrayContaining(canonical(narrow.allow ?? every)));
}

/** The text of the line that a provenance names; what is built in is on none. */
function lineOf({ layer, file, line }: Source): string {
	if (layer === "builtIn") return "(built in)";
	return readFileSync(file ?? "", "utf8").split("\n")[(line ?? 0) - 1] ?? "";
}

/** A key as any of its spellings; what is in no file is said to be built in. */
function wordFor(key: string): RegExp {
	const spelling = key.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
	return new RegExp(
		String.raw`(?<![\w-])(?:${spelling}${spelling === "run_timeout_seconds" ? "|timeout_seconds" : ""})(?![\w-])|^\(built in\)$`,
		"u",
	);
}

/** What stands on the line of a value: its key, or that of the list that it is an element of. */
function keyOf(path: string, value: unknown): RegExp {
	const [table = "", list = "", key = ""] = path.split(".");
	if (table === "agents" && list === "list") return wordFor("list");
	if (table === "agents" && list === "default_agent") return wordFor("(?:list|default)");
	if (table === "permissions") return new RegExp(String(value).replaceAll(/[()*/]/gu, String.raw`\$&`), "u");
	return wordFor(path.split(".").at(-1) ?? key);
}
