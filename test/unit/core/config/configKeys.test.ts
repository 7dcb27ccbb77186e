import { describe, expect, it } from "vitest";
import * as z from "zod";
import { listConfigKeys } from "../../../../src/core/config/configKeys.ts";
import { Config } from "../../../../src/core/config/configSchema.ts";

const keys = (...path: (string | number)[]) => listConfigKeys(path).map(({ key }) => key);

describe("listConfigKeys", () => {
	it("knows the tables, and the keys of each", () => {
		expect(keys()).toEqual([
			"mcp_servers",
			"agents",
			"bindings",
			"channels",
			"model_providers",
			"model_roles",
			"prices",
			"permissions",
		]);
		expect(keys("mcp_servers", "any")).toContain("bearer_token_env_var");
		expect(keys("mcp_servers", "any", "tools", "any")).toEqual(["approval_mode"]);
		expect(keys("agents", "list")).toContain("system_prompt");
		expect(keys("agents", "list", 0, "subagents")).toContain("allow_agents");
		expect(keys("agents", "defaults", "subagents", "budget")).toContain("tool_calls");
		expect(keys("bindings", "match")).toEqual(["channel", "account_id"]);
		expect(keys("modelProviders", "x")).toContain("base_url");
	});

	it("has nothing to say where people choose the names, or where there is no table", () => {
		expect(keys("mcp_servers")).toEqual([]);
		expect(keys("mcp_servers", "any", "env")).toEqual([]);
		expect(keys("mcp_servers", "any", "command")).toEqual([]);
		expect(keys("nothing", "at", "all")).toEqual([]);
	});

	it("describes a key: what it is for, what it takes", () => {
		const of = (name: string, ...path: string[]) => listConfigKeys(path).find(({ key }) => key === name);
		expect(of("type", "mcp_servers", "a")).toMatchObject({ kind: "text", values: ["stdio", "http", "sse"] });
		expect(of("enabled", "mcp_servers", "a")).toMatchObject({
			kind: "flag",
			description: expect.stringContaining("true"),
		});
		expect(of("args", "mcp_servers", "a")?.kind).toBe("list");
		expect(of("env", "mcp_servers", "a")?.kind).toBe("table");
		expect(of("tool_timeout_sec", "mcp_servers", "a")?.kind).toBe("number");
		expect(of("thinking", "agents", "defaults", "subagents")?.values).toEqual(["low", "medium", "high"]);
	});
});

describe("the schema", () => {
	it("can be handed to an editor as JSON schema", () => {
		const { properties } = z.toJSONSchema(Config, { io: "input", target: "draft-07" });
		expect(Object.keys(properties ?? {})).toEqual(Object.keys(Config.shape));
	});
});
