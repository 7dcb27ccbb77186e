/** The MCP Servers view and its commands, on a real runtime whose runs use servers that are real processes. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { TreeDataProvider } from "vscode";
import { views } from "../../../src/contributions.ts";
import type { Runtime } from "../../../src/core/runtime.ts";
import { WorkspaceCatalogs } from "../../../src/shell/catalog/workspaceCatalogs.ts";
import { createServerCommands } from "../../../src/shell/commands/serverCommands.ts";
import { createMcpServersTree } from "../../../src/shell/tree/mcpServersTree.ts";
import type { WorkspaceRuntimes } from "../../../src/shell/workspaceRuntimes.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../fakes/aRuntime.ts";
import { editor, EventEmitter, resetEditor, ThemeIcon } from "../../fakes/editorStandIn.ts";
import { aFaultLog, aFaultServer } from "../../fakes/faultServers.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";
import { ScriptedModel, type ScriptedReply } from "../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
vi.setConfig({ testTimeout: 40_000 });
beforeEach(resetEditor);

/** The table of a server that has these faults. */
function configured(name: string, faults: readonly string[], more = ""): string {
	const { command = "", args = [] } = aFaultServer(faults).fields;
	return `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n${more}`;
}

interface Place {
	/** What the person has configured, and what the folder brings. */
	readonly home?: string;
	readonly repo?: string;
	readonly replies?: readonly ScriptedReply[];
}

async function aServersWindow({ home = "", repo = "", replies = [{ text: "Done." }] }: Place) {
	const homeFolder = temporaryFolder({ ".agents/config.toml": home });
	const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout"), ".agents/config.toml": repo });
	editor.folders = [repoFolder];
	editor.settings.set("homeDir", homeFolder);
	const runtime = await aRuntime(new ScriptedModel(...replies), { homeFolder, repoFolder });
	const changed = { servers: new EventEmitter<void>(), approvals: new EventEmitter<void>() };
	runtime.mcp.onDidChange(() => changed.servers.fire());
	runtime.approvals.onDidChange(() => changed.approvals.fire());
	const runtimes = {
		isOpen: true,
		onDidChange: new EventEmitter().event,
		onDidChangeServers: changed.servers.event,
		onDidChangeApprovals: changed.approvals.event,
		runtimeOf: async () => runtime,
		opened: () => [runtime],
		servers: () => runtime.mcp.servers.map((health) => ({ health, runtime })),
		approvals: () => runtime.approvals.waiting.map((approval) => ({ approval, runtime })),
	} as unknown as WorkspaceRuntimes;
	const catalogs = new WorkspaceCatalogs(runtimes, new RecordingLogger(), (_what, error) =>
		expect.unreachable(String(error)),
	);
	onTestFinished(() => catalogs.dispose());
	createMcpServersTree(catalogs, runtimes);
	const configure = async (text: string) => {
		writeFileSync(path.join(repoFolder, ".agents/config.toml"), text);
		await catalogs.refresh();
	};
	return { runtime, configure, commands: createServerCommands(runtimes, catalogs) };
}

const view = () => editor.views.get(views.mcpServers) as TreeDataProvider<unknown>;

/** A server's row, as a person has it, and what a command on it is given. */
async function row(name: string) {
	const layers = (await view().getChildren()) ?? [];
	const nodes = (await Promise.all(layers.map(async (layer) => (await view().getChildren(layer)) ?? []))).flat();
	const items = await Promise.all(nodes.map(async (node) => ({ node, item: await view().getTreeItem(node) })));
	const found = items.find(({ item }) => item.label === name);
	if (!found) throw new Error(`There is no row ${name}`);
	const { description, tooltip, contextValue, iconPath } = found.item;
	const icon = iconPath instanceof ThemeIcon ? iconPath.id : "";
	return { node: found.node, description, tooltip: typeof tooltip === "string" ? tooltip : "", contextValue, icon };
}

async function spawned(runtime: Runtime): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task: "Work" });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

async function ended(runtime: Runtime): Promise<void> {
	await untilRun(runtime, await spawned(runtime), hasEnded);
}

async function answered(runtime: Runtime, runId: string, verdict: "allow" | "deny"): Promise<void> {
	await runtime.approvals.answer(runtime.approvals.waiting[0]?.id ?? "", { verdict, by: "tree" });
	await untilRun(runtime, runId, hasEnded);
}

async function isAsked(runtime: Runtime): Promise<void> {
	await expect.poll(() => runtime.approvals.waiting.length, { timeout: 20_000 }).toBe(1);
}

describe("a row of the MCP Servers view", () => {
	it("says what is configured before any run has used it, and starts nothing", async () => {
		const log = aFaultLog();
		const home = configured("on", [log.argument]) + configured("off", [], "enabled = false\n");
		await aServersWindow({ home });
		expect(await row("on")).toMatchObject({ description: "stdio", contextValue: "server.configured", icon: "server" });
		expect(await row("off")).toMatchObject({ description: "stdio, off", icon: "circle-slash" });
		expect(log.read()).toEqual([]);
	});

	it("waits for a word with the whole command, then says how it does, and why it was asked again", async () => {
		const { runtime, configure } = await aServersWindow({
			repo: configured("files", []),
			replies: [{ text: "One." }, { text: "Two." }],
		});
		const first = await spawned(runtime);
		await isAsked(runtime);
		expect(await row("files")).toMatchObject({ description: "stdio, waits for your word", icon: "question" });
		expect((await row("files")).tooltip).toContain("faultServer.ts");
		expect((await row("files")).tooltip).not.toContain("asked again");
		await answered(runtime, first, "allow");
		expect(await row("files")).toMatchObject({
			description: "stdio, ready with 13 tools",
			contextValue: "server.started",
			icon: "pass",
		});

		await configure(configured("files", ["ignoreTerm"]));
		const second = await spawned(runtime);
		await isAsked(runtime);
		const asked = await row("files");
		expect(asked).toMatchObject({ description: "stdio, waits for your word", icon: "question" });
		expect(asked.tooltip).toMatch(/asked again because the command has changed\. Allowed before: .*faultServer\.ts/u);
		expect(asked.tooltip).toMatch(/faultServer\.ts ignoreTerm/u);
		await answered(runtime, second, "deny");
	});

	it("of one that does not start shows why, and the last that it said for people", async () => {
		const { runtime } = await aServersWindow({ home: configured("broken", ["exit1"]) });
		await ended(runtime);
		const { description, icon, tooltip, contextValue } = await row("broken");
		expect(description).toMatch(/^stdio, failed, The MCP server "broken" .*exit code 1 ⏎ no configuration file/u);
		expect([icon, contextValue]).toEqual(["error", "server.started"]);
		expect(tooltip.split("\n\n").at(-1)).toBe("no configuration file");
	});

	it("of one that works names who uses it, the tools that are left out, and the last that it said for people", async () => {
		const home = configured("loud", ["oneBadTool", "stderrFlood"]);
		const { runtime } = await aServersWindow({ home, replies: [{ text: "I begin.", hangs: "politely" }] });
		const runId = await spawned(runtime);
		await expect.poll(async () => (await row("loud")).tooltip, { timeout: 20_000 }).toContain("line 39999");
		await expect
			.poll(async () => (await row("loud")).description, { timeout: 20_000 })
			.toBe("stdio, ready with 13 tools");
		const { tooltip } = await row("loud");
		expect(tooltip).toContain("Used by 1 run.");
		expect(tooltip).toContain("farReference is left out: its input schema refers to");
		expect(tooltip.split("\n\n").at(-1)?.length).toBeLessThanOrEqual(2_000);
		await runtime.control.stop(runId);
		await untilRun(runtime, runId, hasEnded);
		expect((await row("loud")).tooltip).not.toContain("Used by");
	});

	it("changes by itself when its server dies, and works again after Restart", async () => {
		const log = aFaultLog();
		const { runtime, commands } = await aServersWindow({ home: configured("files", [log.argument]) });
		await ended(runtime);
		let changes = 0;
		view().onDidChangeTreeData?.(() => changes++);
		process.kill(Number(log.read()[0]?.split(" ")[1]), "SIGKILL");
		await expect.poll(() => changes, { timeout: 20_000 }).toBeGreaterThan(0);
		const { node, description, icon } = await row("files");
		expect(description).toMatch(/^stdio, failed, The MCP server "files" ended: It was ended by SIGKILL/u);
		expect(icon).toBe("error");
		await commands.restartServer(node);
		expect(await row("files")).toMatchObject({ description: "stdio, ready with 13 tools", icon: "pass" });
		expect(log.read().filter((line) => line.startsWith("start"))).toHaveLength(2);
	});
});

describe("a command on a server", () => {
	it("Stop stops it, and its next use starts it again unasked", async () => {
		const log = aFaultLog();
		const replies = [{ text: "One." }, { text: "Two." }];
		const { runtime, commands } = await aServersWindow({ home: configured("files", [log.argument]), replies });
		await ended(runtime);
		editor.answers = ["files"];
		await commands.stopServer(undefined);
		expect(await row("files")).toMatchObject({ description: "stdio, stopped", icon: "server" });
		await ended(runtime);
		expect(await row("files")).toMatchObject({ description: "stdio, ready with 13 tools" });
		expect(log.read().filter((line) => line.startsWith("start"))).toHaveLength(2);
	});

	it("Forget Consent makes it ask again, and say that the consent was taken back", async () => {
		const replies = [{ text: "One." }, { text: "Two." }];
		const { runtime, commands } = await aServersWindow({ repo: configured("files", []), replies });
		const first = await spawned(runtime);
		await isAsked(runtime);
		await answered(runtime, first, "allow");
		await commands.forgetConsent((await row("files")).node);
		expect(editor.said).toEqual(["The MCP server “files” asks again before it is started."]);
		const second = await spawned(runtime);
		await isAsked(runtime);
		expect((await row("files")).tooltip).toContain("asked again because the consent was taken back");
		await answered(runtime, second, "deny");
	});

	it("Copy Command copies what a terminal takes, of a server that nothing has started", async () => {
		const home = `[mcp_servers.a]\ncommand = "node"\nargs = ["it's", "two words", "$HOME"]\n[mcp_servers.b]\nurl = "https://example.org/mcp"\n`;
		const { commands } = await aServersWindow({ home });
		await commands.copyServerCommand((await row("a")).node);
		editor.answers = ["b", undefined];
		await commands.copyServerCommand(undefined);
		await commands.copyServerCommand(undefined);
		expect(editor.offered[0]).toEqual(["a", "b"]);
		expect(editor.copied).toEqual([String.raw`node 'it'\''s' 'two words' '$HOME'`, "https://example.org/mcp"]);
	});

	it("says so where there is nothing to choose from", async () => {
		const { commands } = await aServersWindow({});
		await commands.copyServerCommand(undefined);
		await commands.restartServer(undefined);
		await commands.stopServer({ row: { name: "none" } });
		expect(editor.said).toEqual([
			"No MCP server is configured here that this can be done with.",
			"No run has started an MCP server in this window yet.",
		]);
		expect(editor.copied).toEqual([]);
	});
});
