/** The examples of the seeds, word for word. Seed 002's is YAML there and TOML here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveConfig } from "../../../../src/core/config/resolveConfig.ts";
import { parseSettingsConfig } from "../../../../src/core/config/settingsConfig.ts";
import { isToolOffered, listMcpServers } from "../../../../src/core/mcp/mcpServers.ts";
import { knownTools } from "../../../../src/core/tools/knownTools.ts";
import { canonicalToolName } from "../../../../src/core/tools/toolNames.ts";
import { brief, codes, onDisk, parsed } from "./aConfig.ts";
import { vocabulary } from "./vocabulary.ts";

const seed = (name: string) =>
	readFileSync(join(import.meta.dirname, "../../../corpus/config/seeds", `${name}.txt`), "utf8");
const inSettings = (text: string) => parseSettingsConfig({ layer: "settings", file: "/user/settings.json" }, text);

describe("seed 000's configuration", () => {
	it("loads without a word in home's layer", async () => {
		const { config } = await onDisk({ "home/.agents/config.toml": seed("000.toml") });
		expect(config.problems).toEqual([]);
		const servers = listMcpServers(config, { FIGMA_OAUTH_TOKEN: "set" });
		expect(
			servers.map((server) => [
				server.name,
				server.type,
				server.isUsable,
				server.needsConsent,
				server.startupTimeoutMs,
				server.toolTimeoutMs,
			]),
		).toEqual([
			["chrome_devtools", "http", true, false, 20_000, 45_000],
			["context7", "stdio", true, false, 20_000, 45_000],
			["figma", "http", true, false, 30_000, 300_000],
		]);
		expect(config.mcpServers.get("context7")?.value).toMatchObject({
			args: ["-y", "@upstash/context7-mcp"],
			env: { MY_ENV_VAR: "MY_ENV_VALUE" },
		});
		expect(config.mcpServers.get("figma")?.value.httpHeaders).toEqual({ "X-Figma-Region": "us-east-1" });
		const devtools = config.mcpServers.get("chrome_devtools")?.value ?? {};
		expect(["open", "screenshot", "other"].map((tool) => isToolOffered(devtools, tool))).toEqual([true, false, false]);
	});
});

describe("seed 001's configuration", () => {
	it("loads in user settings; its tokens are the one kind of error", () => {
		const part = inSettings(seed("001-agents.json"));
		expect(brief(part.problems)).toEqual(["error config.inlineSecret 8:11", "error config.inlineSecret 13:11"]);
		expect(part.problems.map(({ remedies }) => remedies)).toEqual(
			["bot_gf", "bot_coder"].map((account) => [
				{
					kind: "moveToSecretStorage",
					file: "/user/settings.json",
					path: ["channels", "telegram", "accounts", account, "token"],
				},
			]),
		);
		expect(JSON.stringify(part)).not.toContain("your_token_here");
	});

	it("means what it says: agents, bindings, accounts, the default", () => {
		const part = inSettings(seed("001-agents.json"));
		const config = resolveConfig({ base: "home", parts: [part], hasOwnServers: false }, vocabulary);
		expect(config.agents.get("xiaoting")?.value).toEqual({
			id: "xiaoting",
			name: "小婷",
			default: true,
			model: "google-antigravity/gemini-3-pro-high",
			workspace: "~/.openclaw/workspace",
			systemPrompt: "你是小婷，一个温柔的女朋友...",
			subagents: { allowAgents: ["coder"] },
		});
		expect(config.agents.get("coder")?.value.name).toBe("代码专家");
		expect(config.defaultAgent.value).toBe("xiaoting");
		expect(config.bindings.map(({ value }) => value)).toEqual([
			{ agentId: "xiaoting", match: { channel: "telegram", accountId: "bot_gf" } },
			{ agentId: "coder", match: { channel: "telegram", accountId: "bot_coder" } },
		]);
		expect(config.accounts.map(({ value }) => [value.channel, value.id, value.name, value.isEnabled])).toEqual([
			["telegram", "bot_gf", "小婷Bot", true],
			["telegram", "bot_coder", "代码专家Bot", true],
		]);
		expect(codes(config.problems).filter((code) => code !== "config.inlineSecret")).toEqual([
			"config.unknownProvider",
			"config.unknownProvider",
		]);
	});

	it("loads with its comments", () => {
		const defaults = inSettings(seed("001-defaults.json"));
		expect(defaults.problems).toEqual([]);
		expect(defaults.value.agents?.defaults?.subagents).toEqual({
			maxConcurrent: 8,
			archiveAfterMinutes: 60,
			model: "google-antigravity/gemini-3-haiku",
			thinking: "low",
		});
		const agent = inSettings(seed("001-agent.json"));
		expect(agent.problems).toEqual([]);
		expect(agent.value.agents?.list?.[0]?.subagents).toEqual({
			allowAgents: ["*", "research", "coder"],
			model: "google-antigravity/gemini-3-haiku",
			thinking: "low",
			denyTools: ["gateway"],
		});
	});

	it("loads under the settings' own names, and as the editor hands it over", () => {
		const { channels, agents, bindings } = JSON.parse(seed("001-agents.json")) as Record<string, object>;
		const byName = { "editor.fontSize": 12, "muster.channels": channels, "muster.agents": agents };
		const fromText = inSettings(JSON.stringify({ ...byName, "muster.bindings": bindings }));
		const fromValues = inSettings(seed("001-agents.json")).value;
		expect(fromText.value).toEqual(fromValues);
		const values = Object.freeze({ channels, agents, bindings });
		const handedOver = parseSettingsConfig({ layer: "settings", file: "/user/settings.json" }, values);
		expect(handedOver.value).toEqual(fromValues);
		expect(brief(handedOver.problems)).toEqual(["error config.inlineSecret", "error config.inlineSecret"]);
	});
});

describe("seed 002's profiles", () => {
	it("load as agents, the default among them", async () => {
		const part = await parsed("home", seed("002.toml"));
		expect(brief(part.problems)).toEqual(["information config.authDir 7:1", "information config.authDir 16:1"]);
		const config = resolveConfig(
			{ base: "home", parts: [part], hasOwnServers: false },
			{ ...vocabulary, isKnownTool: (name) => knownTools.isKnownTool(name), canonicalToolName },
		);
		expect(config.agents.get("main")?.value).toMatchObject({ id: "main", sandbox: "trusted", default: true });
		expect(config.agents.get("public")?.value).toMatchObject({
			sandbox: "restricted",
			workspace: "./workspace/public",
			tools: { allow: ["read_file", "http_get", "memory_search"], deny: ["shell", "write_file", "sessions_spawn"] },
		});
		expect(config.defaultAgent).toMatchObject({ value: "main", provenance: { layer: "home", line: 4 } });
		expect(brief(config.problems).slice(2)).toEqual([
			"information config.toolNotOffered 10:103",
			"information config.toolNotOffered 10:120",
			"information config.toolNotOffered 19:35",
		]);
	});

	it("say so when the default is none of them", async () => {
		const part = await parsed(
			"home",
			'[agents]\ndefault-agent = "other"\n[agents.profiles.public]\nsandbox = "restricted"\n',
		);
		expect(brief(part.problems)).toEqual(["warning config.unknownAgent 2:1"]);
	});
});
