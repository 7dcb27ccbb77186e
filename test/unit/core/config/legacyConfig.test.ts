import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onDisk } from "./aConfig.ts";

const home = "home/.agents/config.toml";
const role = "home/.agents/roles/frontend/.agents/config.toml";

describe("the files of other programs", () => {
	it("S0-25: the old file can be moved to ours, and means the same there", async () => {
		const old =
			'{"servers": {"a": {"command": "g", "args": ["x"], "env": {"A_B": "c"}, "timeoutSeconds": 9, "enabled": false}}}';
		const { config, folder } = await onDisk({ "home/.goclaw/mcp.json": old });
		const [fix] = config.problems[0]?.fixes ?? [];
		if (fix === undefined || !("edits" in fix)) throw new Error("There is no fix.");
		expect(fix.title).toBe("Move to .agents");
		expect(fix.edits.map(({ file }) => file)).toEqual([join(folder, home)]);
		const moved = await onDisk({ [home]: fix.edits[0]?.newText ?? "" });
		expect(moved.config.problems).toEqual([]);
		expect(moved.config.mcpServers.get("a")?.value).toEqual(config.mcpServers.get("a")?.value);
	});

	it("S0-25: moving one of two files takes the servers of both along", async () => {
		const { config } = await onDisk({
			"home/.goclaw/mcp.json": '{"mcpServers": {"both": {"command": "goclaw"}}}',
			"home/.codex/config.toml": '[mcp_servers.both]\ncommand = "codex"\n[mcp_servers.one]\ncommand = "codex"\n',
		});
		const texts = config.problems.flatMap(({ fixes = [] }) =>
			fixes.flatMap((fix) => ("edits" in fix ? fix.edits.map(({ newText }) => newText) : [])),
		);
		expect(texts).toHaveLength(2);
		for (const text of texts) {
			const moved = await onDisk({ [home]: text });
			expect([...moved.config.mcpServers].map(([name, { value }]) => [name, value.command])).toEqual([
				["both", "goclaw"],
				["one", "codex"],
			]);
		}
	});

	it("S0-25: the old file of home is not read when a role pack stands in for it", async () => {
		const { config } = await onDisk({ "home/.goclaw/mcp.json": "{", [role]: "" }, { role: "frontend" });
		expect(config.problems).toEqual([]);
	});
});
