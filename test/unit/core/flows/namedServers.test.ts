/** `mcpConfigPath`: a file whose MCP servers stand in for all others of one run. */
import { realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

const require = createRequire(import.meta.url);
const program = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };
const by = "tree" as const;

function aServer(name: string, folder: string): string {
	return `[mcp_servers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([program, folder])}\n`;
}

/** A folder with a server of home, one of its own, and files to name. */
function aPlace() {
	const repoFolder = realpathSync(temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout") }));
	const outside = realpathSync(temporaryFolder());
	const homeFolder = temporaryFolder({ ".agents/config.toml": aServer("home", repoFolder) });
	writeFileSync(path.join(repoFolder, ".agents/config.toml"), aServer("repo", repoFolder));
	writeFileSync(path.join(repoFolder, "named.toml"), aServer("named", repoFolder));
	writeFileSync(path.join(outside, "named.toml"), aServer("named", repoFolder));
	return { repoFolder, homeFolder, outside };
}

describe("the MCP servers of a call", { timeout: 40_000 }, () => {
	it.each(["inside", "outside"])(
		"in a file %s the folder replace all others of that run, once a person has seen their command",
		async (where) => {
			const { repoFolder, homeFolder, outside } = aPlace();
			const model = new ScriptedModel({ text: "Done." });
			const runtime = await aRuntime(model, { repoFolder, homeFolder });
			const mcpConfigPath = where === "inside" ? "named.toml" : path.join(outside, "named.toml");
			const answer = await runtime.spawn({ agent: "scout", task: "Look", mcpConfigPath });
			if (!answer.accepted) throw new Error(answer.error);
			await expect.poll(() => runtime.approvals.waiting.length, { timeout: 20_000 }).toBe(1);
			const [question] = runtime.approvals.waiting;
			expect(question).toMatchObject({ effect: "start", tool: "mcp(named)" });
			await runtime.approvals.answer(question?.id ?? "", { verdict: "allow", by });
			expect(await untilRun(runtime, answer.runId, hasEnded)).toMatchObject({ state: "ok" });
			const servers = model.requests[0]?.tools.flatMap(({ name }) => /^mcp__(\w+?)__/u.exec(name)?.[1] ?? []);
			expect(new Set(servers)).toEqual(new Set(["named"]));
		},
	);

	it("are not an agent's to bring from outside the folder, and a file must be there", async () => {
		const { repoFolder, homeFolder, outside } = aPlace();
		const spawn = (id: string, mcpConfigPath: string) =>
			aCall("sessions_spawn", { agent: "scout", task: "Look", mcpConfigPath }, id);
		const calls = [spawn("c1", path.join(outside, "named.toml")), spawn("c2", "missing.toml"), spawn("c3", ".agents")];
		const model = new TwoFacedModel([{ calls }, { text: "Well." }], []);
		const runtime = await aRuntime(model, { repoFolder, homeFolder });
		const turn = await runtime.control.startTurn(chat, "Go");
		// Its own turn would start the servers of home and repo, which is not what this is about.
		await expect.poll(() => runtime.approvals.waiting.length, { timeout: 20_000 }).toBe(1);
		await runtime.approvals.answer(runtime.approvals.waiting[0]?.id ?? "", { verdict: "deny", by });
		await untilRun(runtime, turn.id, hasEnded);
		const answers = model.mainRequests[1]?.messages.flatMap((message) =>
			message.role === "tool" ? [JSON.parse(message.text) as object] : [],
		);
		expect(answers).toMatchObject([
			{ status: "forbidden", error: expect.stringContaining("only the user may name one") },
			{ status: "error", error: expect.stringContaining('"missing.toml" is not a file that exists') },
			{ status: "error", error: expect.stringContaining('".agents" is not a file that exists') },
		]);
		expect(runtime.runs.list()).toHaveLength(1);
	});

	it("that can't be read are none, which the transcript says, and the run goes on", async () => {
		const { repoFolder, homeFolder } = aPlace();
		writeFileSync(path.join(repoFolder, "named.toml"), "[mcp_servers.named\n");
		const model = new ScriptedModel({ text: "Done." });
		const runtime = await aRuntime(model, { repoFolder, homeFolder });
		const answer = await runtime.spawn({ agent: "scout", task: "Look", mcpConfigPath: "named.toml" });
		if (!answer.accepted) throw new Error(answer.error);
		const run = await untilRun(runtime, answer.runId, hasEnded);
		expect(run).toMatchObject({ state: "ok" });
		expect(model.requests[0]?.tools.filter(({ name }) => name.startsWith("mcp__"))).toEqual([]);
		const notices = (await runtime.transcripts.read(run, 0, 100)).filter(({ kind }) => kind === "notice");
		expect(notices).toHaveLength(1);
		expect(notices[0]?.text).toContain("TOML");
	});
});
