import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../../src/core/runtime.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { AuthorizationServer, TestBrowser } from "../../../fakes/authorizationServer.ts";
import { MemorySecrets } from "../../../fakes/memorySecrets.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { aCall, ScriptedModel, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

async function setUp(layer: "home" | "repo", ...replies: ScriptedReply[]) {
	const at = await AuthorizationServer.start();
	const config = `[mcp_servers.web]\nurl = "${at.url}"\ndefault_tools_approval_mode = "approve"\n`;
	const folders = { home: temporaryFolder(), repo: temporaryFolder({ "notes.txt": "seven\n" }) };
	mkdirSync(path.join(folders.repo, ".agents/agents"), { recursive: true });
	mkdirSync(path.join(folders.home, ".agents"));
	writeFileSync(path.join(folders.repo, ".agents/agents/scout.md"), anAgentFile("scout"));
	writeFileSync(path.join(folders[layer], ".agents/config.toml"), config);
	const own = { logger: new RecordingLogger(), storeFolder: temporaryFolder() };
	const browser = new TestBrowser();
	const model = new ScriptedModel(...replies);
	const options = { secrets: new MemorySecrets(), signInBrowser: browser, ...own };
	const runtime = await aRuntime(model, { homeFolder: folders.home, repoFolder: folders.repo, ...options });
	return { at, browser, model, runtime, ...own };
}

async function spawn(runtime: Runtime): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task: "Work" });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

async function server(runtime: Runtime) {
	const [found] = (await runtime.catalog()).mcpServers;
	if (!found) throw new Error("There is no server");
	return found;
}

const toolNames = (model: ScriptedModel, request: number) => model.requests[request]?.tools.map(({ name }) => name);

describe("an MCP server that wants a sign-in", { timeout: 40_000 }, () => {
	it("is missing in a run, which goes on and says so; after a sign-in the next run has it, and no token is written down", async () => {
		const { at, browser, model, runtime, logger, storeFolder } = await setUp(
			"home",
			{ text: "Done." },
			{ text: "I call.", calls: [aCall("mcp__web__echo", { a: 1 })] },
			{ text: "Done." },
		);
		const first = await untilRun(runtime, await spawn(runtime), hasEnded);
		expect(first.state).toBe("ok");
		expect(toolNames(model, 0)).not.toContain("mcp__web__echo");
		const entries = await runtime.transcripts.readSession(first.sessionKey, 0, 100);
		expect(entries.find(({ kind }) => kind === "notice")?.text).toContain("wants you to sign in. Use Sign In");
		expect(runtime.mcp.servers).toMatchObject([{ name: "web", state: "signInNeeded" }]);
		expect(browser.pages).toEqual([]);

		await runtime.mcp.signIn(await server(runtime));
		expect(runtime.mcp.servers).toMatchObject([{ name: "web", state: "ready" }]);
		await untilRun(runtime, await spawn(runtime), hasEnded);
		expect(toolNames(model, 1)).toContain("mcp__web__echo");
		expect(model.requests[2]?.messages.at(-1)).toMatchObject({ role: "tool", text: '{"a":1}' });
		expect(at.given).toHaveLength(3);
		const written = readdirSync(storeFolder).filter((name) => name.startsWith("muster.db"));
		const bytes = written.map((name) => readFileSync(path.join(storeFolder, name), "latin1"));
		const told = JSON.stringify([logger, model.requests.map(({ messages }) => messages), runtime.mcp.servers]);
		for (const secret of at.given) expect([...bytes, told].filter((text) => text.includes(secret))).toEqual([]);
	});

	it("and comes with the folder is signed in to only once it has been allowed", async () => {
		const { at, browser, runtime } = await setUp("repo", { text: "Done." });
		await expect(runtime.mcp.signIn(await server(runtime))).rejects.toThrow("has not been allowed yet");
		expect([at.asked, browser.pages]).toEqual([[], []]);
		const runId = await spawn(runtime);
		await expect.poll(() => runtime.approvals.waiting.length, { timeout: 20_000 }).toBe(1);
		await runtime.approvals.answer(runtime.approvals.waiting[0]?.id ?? "", { verdict: "allow", by: "tree" });
		await untilRun(runtime, runId, hasEnded);
		await runtime.mcp.signIn(await server(runtime));
		expect(runtime.mcp.servers).toMatchObject([{ state: "ready" }]);
		await runtime.mcp.signOut(await server(runtime));
		expect(runtime.mcp.servers).toMatchObject([{ state: "stopped" }]);
	});
});
