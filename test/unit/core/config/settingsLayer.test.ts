/** The editor's settings as a layer, through everything that reads a catalog. */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { type Catalog, type CatalogSettings, discoverCatalog } from "../../../../src/core/catalog/discoverCatalog.ts";
import { explainCatalog } from "../../../../src/core/catalog/explainCatalog.ts";
import { toExplanationText } from "../../../../src/core/config/explanationText.ts";
import { isInSettings } from "../../../../src/core/config/settingsTables.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { brief, codes } from "./aConfig.ts";

function discover(inputs: CatalogSettings, files: Record<string, string> = {}): Promise<Catalog> {
	const folder = temporaryFolder({ "home/.keep": "", "repo/.keep": "", ...files });
	return discoverCatalog({
		homeDir: path.join(folder, "home"),
		repoDir: path.join(folder, "repo"),
		environment: {},
		providerIds: ["demo"],
		...inputs,
		...(inputs.rolesDir !== undefined && { rolesDir: path.join(folder, inputs.rolesDir), role: "writer" }),
	});
}

/** The values that VS Code hands over after it has read the text. */
const seed = (name: string) =>
	parse(
		readFileSync(path.join(import.meta.dirname, "../../../corpus/config/seeds", `${name}.txt`), "utf8"),
	) as Readonly<Record<string, unknown>>;

const limit = (count: number) => ({ agents: { defaults: { subagents: { max_concurrent: count } } } });
const limitFile = (count: number) => `[agents.defaults.subagents]\nmax_concurrent = ${count}\n`;
const agentFile = (prompt: string) => `---\nname: scout\ndescription: Looks.\n---\n${prompt}\n`;

describe("seed 001's blocks as user settings", () => {
	it("load: each token is one error with its fix, and its account is there without it", async () => {
		const { config, problems } = await discover({ settings: { user: seed("001-agents.json") } });
		const secrets = problems.filter(({ code }) => code === "config.inlineSecret");
		expect(secrets.map(({ severity, remedies }) => [severity, remedies])).toEqual(
			["bot_coder", "bot_gf"].map((account) => [
				"error",
				[
					{
						kind: "moveToSecretStorage",
						file: "user settings",
						path: ["channels", "telegram", "accounts", account, "token"],
					},
					{ kind: "openSetting", setting: "muster.channels" },
				],
			]),
		);
		expect(problems.filter(({ severity }) => severity === "error")).toHaveLength(2);
		expect(config.accounts.map(({ value }) => [value.id, value.isEnabled])).toEqual([
			["bot_gf", true],
			["bot_coder", true],
		]);
		expect([...config.agents.keys()]).toEqual(["main", "xiaoting", "coder"]);
		expect(config.bindings).toHaveLength(2);
		expect(config.defaultAgent.value).toBe("xiaoting");
	});

	it.each(["001-defaults.json", "001-agent.json"])("%s has no error", async (name) => {
		const { problems } = await discover({ settings: { user: seed(name) } });
		expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
	});
});

describe("user settings", () => {
	it("lie above the repo and home, and may widen", async () => {
		const { config } = await discover(
			{ settings: { user: limit(12) } },
			{ "home/.agents/config.toml": limitFile(6), "repo/.agents/config.toml": limitFile(4) },
		);
		expect(config.defaults.maxConcurrent).toMatchObject({
			value: 12,
			provenance: { layer: "settings", file: "user settings", shadows: [{ layer: "repo" }, { layer: "home" }, {}] },
		});
	});

	it("bring providers, roles of models and permissions", async () => {
		const user = {
			modelProviders: { mine: { base_url: "https://models.example.org" } },
			modelRoles: { Main: "mine/large" },
			permissions: { allow: ["shell(git status)"], deny: ["web_fetch"] },
		};
		const { config, problems } = await discover(
			{ settings: { user } },
			{ "home/.agents/config.toml": '[model_roles]\nMain = "demo/demo"\nCompaction = "demo/demo"\n' },
		);
		expect(problems).toEqual([]);
		expect([...config.modelProviders.keys()]).toEqual(["mine"]);
		expect(Array.from(config.modelRoles, ([name, { value }]) => [name, value])).toEqual([
			["Main", "mine/large"],
			["Compaction", "demo/demo"],
		]);
		expect(config.permissions.allow.map(({ value }) => value)).toEqual(["shell(git status)"]);
		expect(config.permissions.deny.map(({ value }) => value)).toEqual(["web_fetch"]);
	});

	it("decide by onDuplicateAgent whose agent loads", async () => {
		const files = {
			"home/.agents/agents/scout.md": agentFile("Home's."),
			"repo/.agents/agents/scout.md": agentFile("The repo's."),
		};
		const layerOf = ({ agents }: Catalog) => agents.agents.map(({ layer }) => layer);
		expect(layerOf(await discover({}, files))).toEqual(["home"]);
		const user = { onDuplicateAgent: "projectWins", ...limit(3) };
		const wins = await discover({ settings: { user } }, files);
		expect(layerOf(wins)).toEqual(["repo"]);
		expect(wins.config.defaults.maxConcurrent?.value).toBe(3);
		const wrong = await discover({ settings: { user: { onDuplicateAgent: "often" } } }, files);
		expect(layerOf(wrong)).toEqual(["home"]);
		expect(codes(wrong.problems)).toContain("config.type");
	});

	it("say where role packs are", async () => {
		const skill = "---\nname: prose\ndescription: Writes.\n---\nWrite.\n";
		const { skills } = await discover(
			{ rolesDir: "packs" },
			{ "packs/writer/.agents/skills/prose/SKILL.md": skill, "home/.agents/skills/other/SKILL.md": skill },
		);
		expect(skills.skills.map(({ name, layer }) => [name, layer])).toEqual([["prose", "role"]]);
	});

	it("are named where something is wrong with them, and are no file", async () => {
		const catalog = await discover({ settings: { user: { bindings: 7, agents: { list: [{ id: 5 }] } } } });
		expect(catalog.problems.length).toBeGreaterThanOrEqual(2);
		expect(catalog.problems.every(isInSettings)).toBe(true);
		expect(catalog.problems.map(({ remedies }) => remedies?.at(-1))).toEqual(
			expect.arrayContaining([
				{ kind: "openSetting", setting: "muster.agents" },
				{ kind: "openSetting", setting: "muster.bindings" },
			]),
		);
		expect(toExplanationText(explainCatalog(catalog))).toContain("user settings: error: ");
	});

	it("count for nothing where there are none", async () => {
		const { layers } = await discover({ settings: { user: {}, workspace: {} } });
		expect(layers.parts).toEqual([]);
	});
});

describe("workspace and folder settings", () => {
	it("are repo bytes: what only the user may say is refused, and what a repo may narrow is narrowed", async () => {
		const workspace = {
			...limit(2),
			bindings: [{ agent_id: "main", match: { channel: "panel" } }],
			channels: { telegram: { accounts: { a: { enabled: true } } } },
			permissions: { allow: ["shell"] },
			modelProviders: { evil: { base_url: "https://evil.example.org" } },
			modelRoles: { Main: "evil/model" },
			prices: { "demo/demo": { input: 0, output: 0 } },
			onDuplicateAgent: "projectWins",
		};
		const { config, problems } = await discover({ settings: { workspace } });
		expect(config.defaults.maxConcurrent?.value).toBe(2);
		expect(brief(problems)).toEqual(["error config.notAllowedHere", "error config.notAllowedHere"]);
		expect([...config.modelProviders, ...config.modelRoles, ...config.permissions.allow, ...config.bindings]).toEqual(
			[],
		);
		expect(config.onDuplicate.value).toBe("fail");
	});

	it("give way to the folder's config.toml, the workspace's also to the folder's", async () => {
		const settings = { workspace: limit(3), folder: limit(5) };
		expect((await discover({ settings })).config.defaults.maxConcurrent?.value).toBe(5);
		const { config, problems } = await discover({ settings }, { "repo/.agents/config.toml": limitFile(7) });
		expect(problems).toEqual([]);
		expect(config.defaults.maxConcurrent?.value).toBe(7);
	});

	it("hold where config.toml says what it may not", async () => {
		const { config, problems } = await discover(
			{ settings: { workspace: limit(3) } },
			{ "repo/.agents/config.toml": limitFile(50) },
		);
		expect(codes(problems)).toEqual(["config.notAllowedHere"]);
		expect(config.defaults.maxConcurrent?.value).toBe(3);
	});

	it("never widen, whatever they and config.toml say", async () => {
		const count = fc.integer({ min: 1, max: 64 });
		const some = fc.option(count, { nil: undefined });
		await fc.assert(
			fc.asyncProperty(some, some, some, async (workspace, folder, file) => {
				const { config } = await discover(
					{
						settings: {
							...(workspace !== undefined && { workspace: limit(workspace) }),
							...(folder !== undefined && { folder: limit(folder) }),
						},
					},
					file === undefined ? {} : { "repo/.agents/config.toml": limitFile(file) },
				);
				expect(config.defaults.maxConcurrent?.value).toBeLessThanOrEqual(8);
			}),
			{ numRuns: 30 },
		);
	});
});
