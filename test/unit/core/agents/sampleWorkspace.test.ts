import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { discoverAgents } from "../../../../src/core/agents/discoverAgents.ts";
import { parseFrontmatter } from "../../../../src/core/agents/frontmatter.ts";
import { knownTools } from "../../../../src/core/tools/knownTools.ts";

const sample = fileURLToPath(new URL("../../../fixtures/sample", import.meta.url));
const read = (path: string) => readFileSync(join(sample, path), "utf8");

describe("the sample workspace", () => {
	it("has four user-facing agents and nothing wrong", async () => {
		const { agents, problems } = await discoverAgents([{ layer: "repo", path: sample }], knownTools);
		expect(problems).toEqual([]);
		expect(agents.map(({ name, visibility }) => [name, visibility])).toEqual([
			["code-analyst", "user-facing"],
			["docs-writer", "user-facing"],
			["fixer", "user-facing"],
			["test-scout", "user-facing"],
		]);
	});

	it("has a skill named after its folder, and a configuration that is valid when its lines are used", async () => {
		const skill = await parseFrontmatter(read(".agents/skills/release-notes/SKILL.md"));
		expect(skill).toMatchObject({ data: { name: "release-notes", description: expect.any(String) } });
		expect(parse(read(".agents/config.toml"))).toEqual({});
		expect(parse(read(".agents/config.toml").replaceAll(/^#(?=\S)/gmu, ""))).toMatchObject({
			mcp_servers: { context7: {}, figma: {}, chrome_devtools: {} },
		});
	});

	it("is a project whose own tests pass, and whose bug they miss", () => {
		const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
		execFileSync(process.execPath, ["--test"], { cwd: sample, env: environment, stdio: "pipe" });
		const program = 'import { discount } from "./src/discount.js"; console.log(discount(5000));';
		const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
			cwd: sample,
			encoding: "utf8",
		});
		expect(read("README.md")).toContain("A cart of 50.00 or more gets 5 % off.");
		expect(output.trim()).toBe("0");
	});
});
