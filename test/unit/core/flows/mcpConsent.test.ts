/** A person's word for a server that the folder brings holds for that server to the byte, and for no other. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../../src/core/runtime.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aFaultLog, aFaultServer } from "../../../fakes/faultServers.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const by = "tree" as const;

/** A folder that brings a server, which writes down each start. `configure` writes how it is started. */
async function aFolder(runs: number) {
	const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout") });
	const log = aFaultLog();
	const { command = "", args = [] } = aFaultServer([log.argument]).fields;
	const line = (more: readonly string[], rest = "") =>
		`[mcp_servers.files]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify([...args, ...more])}\n${rest}`;
	const configure = (text: string) => writeFileSync(path.join(repoFolder, ".agents/config.toml"), text);
	const replies = Array.from({ length: runs }, () => ({ text: "Done." }));
	const model = new ScriptedModel(...replies);
	const runtime = await aRuntime(model, { repoFolder });
	const starts = () => log.read().filter((each) => each.startsWith("start")).length;
	return { repoFolder, log, line, configure, model, runtime, starts };
}

async function spawn(runtime: Runtime): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task: "Work" });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

async function question(runtime: Runtime) {
	await expect.poll(() => runtime.approvals.waiting.length, { timeout: 20_000 }).toBe(1);
	const [found] = runtime.approvals.waiting;
	if (!found) throw new Error("Nothing is asked");
	return found;
}

/** Spawns a run, and answers that the server may start. */
async function allow(runtime: Runtime): Promise<void> {
	const runId = await spawn(runtime);
	await runtime.approvals.answer((await question(runtime)).id, { verdict: "allow", by });
	await untilRun(runtime, runId, hasEnded);
}

describe("consent to a server of the folder", { timeout: 40_000 }, () => {
	it("does not hold for another command: it is asked again, says why, and nothing starts before the answer", async () => {
		const { configure, line, runtime, starts, model } = await aFolder(3);
		configure(line([]));
		const first = await spawn(runtime);
		const asked = await question(runtime);
		expect(asked.why).not.toContain("asked again");
		await runtime.approvals.answer(asked.id, { verdict: "allow", by });
		await untilRun(runtime, first, hasEnded);
		expect(starts()).toBe(1);

		configure(line(["ignoreTerm"]));
		const second = await spawn(runtime);
		const again = await question(runtime);
		expect(again.subject).toBe(`${asked.subject} ignoreTerm`);
		expect(again.why).toMatch(/asked again because the command has changed\. Allowed before: /u);
		expect(again.why).toContain(asked.subject.slice(0, 60));
		expect(starts()).toBe(1);
		await runtime.approvals.answer(again.id, { verdict: "deny", by });
		await untilRun(runtime, second, hasEnded);
		expect(starts()).toBe(1);
		expect(model.requests[1]?.tools.some(({ name }) => name.startsWith("mcp__"))).toBe(false);

		configure(line([]));
		await untilRun(runtime, await spawn(runtime), hasEnded);
		expect(runtime.approvals.waiting).toEqual([]);
		expect(model.requests[2]?.tools.some(({ name }) => name.startsWith("mcp__files__"))).toBe(true);
	});

	it.for([
		{ what: "its environment", rest: 'env = { A = "1" }\n' },
		{ what: "its folder", rest: 'cwd = "sub"\n' },
		{ what: "its tools", rest: 'enabled_tools = ["echo"]\n' },
	])("does not hold when $what changes beside the same command", async ({ rest }) => {
		const { repoFolder, configure, line, runtime, starts } = await aFolder(2);
		mkdirSync(path.join(repoFolder, "sub"));
		configure(line([]));
		await allow(runtime);
		configure(line([], rest));
		const runId = await spawn(runtime);
		const again = await question(runtime);
		expect(again.why).toContain("what stands beside the command has changed");
		expect(starts()).toBe(1);
		await runtime.approvals.answer(again.id, { verdict: "deny", by });
		await untilRun(runtime, runId, hasEnded);
	});

	it("holds when only the words around it change: comments, order, spaces, timers", async () => {
		const { configure, line, runtime, repoFolder } = await aFolder(2);
		configure(line([]));
		await allow(runtime);
		const file = path.join(repoFolder, ".agents/config.toml");
		const [head = "", ...fields] = readFileSync(file, "utf8").trimEnd().split("\n");
		configure(`# mine\n${[head, ...fields.toReversed()].join("\n\n")}\ntool_timeout_sec = 7\n`);
		await untilRun(runtime, await spawn(runtime), hasEnded);
		expect(runtime.approvals.waiting).toEqual([]);
	});

	it("that was taken back is asked for again, and says so", async () => {
		const { configure, line, runtime } = await aFolder(2);
		configure(line([]));
		await allow(runtime);
		await runtime.mcp.forgetConsent("files");
		const runId = await spawn(runtime);
		const again = await question(runtime);
		expect(again.why).toContain("asked again because the consent was taken back");
		await runtime.approvals.answer(again.id, { verdict: "deny", by });
		await untilRun(runtime, runId, hasEnded);
	});
});
