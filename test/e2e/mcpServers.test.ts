import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../vscode/until.ts";
import { demoScript } from "./harness/demoScript.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnSubagent } from "./harness/spawnSubagent.ts";
import { startVSCode } from "./harness/vscode.ts";

const everything = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");

/** Those with this file on their command line. */
function processesOf(file: string): number[] {
	return fs
		.readdirSync("/proc")
		.filter((name) => /^\d+$/u.test(name))
		.filter((pid) => commandLineOf(pid).includes(file))
		.map(Number);
}

function commandLineOf(pid: string): string {
	try {
		return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
	} catch {
		// It has ended meanwhile.
		return "";
	}
}

describe("an MCP server that the folder brings", () => {
	it("is asked about with its whole command, works for a run, shows how it does, and is started again after a stop and after a kill", async () => {
		const folder = sampleWorkspace();
		const command = JSON.stringify(process.execPath);
		const config = `[mcp_servers.everything]\ncommand = ${command}\nargs = [${JSON.stringify(everything)}]\n`;
		fs.writeFileSync(path.join(folder, ".agents/config.toml"), config);
		const agent = "---\nname: echoer\ndescription: Echoes.\ntools: [mcp__everything__echo]\n---\nYou echo.\n";
		fs.writeFileSync(path.join(folder, ".agents/agents/echoer.md"), agent);
		const echo = (message: string) => [{ tool: "mcp__everything__echo", input: { message } }];
		const script = demoScript([
			{ when: "Echo", turns: [{ text: "I call.", calls: echo("hello") }, { text: "SUMMARY: Echoed." }] },
		]);
		const settings = { "muster.demo.script": script, "muster.demo.pace": "off" };
		const { workbench } = await startVSCode({ open: folder, settings });

		await spawnSubagent(workbench, "echoer", "Echo one");
		const start = /echoer asks to start /u;
		await workbench.row(start).click();
		await until("the whole command to show", async () => (await workbench.editorText()).includes("server-everything"));
		await workbench.rowAction(start, "Allow Once");
		const use = /echoer asks to use mcp__everything__echo\. Its first use in this run/u;
		await workbench.rowAction(use, "Allow Once");
		await workbench.row(/Echo one, finished/u).waitFor({ timeout: 60_000 });
		await workbench.row(/Echo one, finished/u).click();
		await until("the answer to be in the transcript", async () =>
			(await workbench.editorText()).includes("Echo: hello"),
		);

		await workbench.page.locator('.pane-header[aria-label^="MCP Servers"]').click();
		const ready = /everything, stdio, ready with \d+ tools/u;
		await workbench.row(ready).waitFor();
		await workbench.rowAction(ready, "Stop MCP Server");
		await workbench.row(/everything, stdio, stopped/u).waitFor();

		await spawnSubagent(workbench, "echoer", "Echo two");
		await workbench.rowAction(use, "Allow Once");
		await workbench.row(/Echo two, finished/u).waitFor({ timeout: 60_000 });
		await workbench.row(ready).waitFor();
		expect(await workbench.row(start).isVisible()).toBe(false);

		for (const pid of processesOf(everything)) process.kill(pid, "SIGKILL");
		await workbench.row(/everything, stdio, failed/u).waitFor();
		await workbench.rowAction(/everything, stdio, failed/u, "Restart MCP Server");
		await workbench.row(ready).waitFor({ timeout: 60_000 });
		await spawnSubagent(workbench, "echoer", "Echo three");
		await workbench.rowAction(use, "Allow Once");
		await workbench.row(/Echo three, finished/u).waitFor({ timeout: 60_000 });
	});
});
