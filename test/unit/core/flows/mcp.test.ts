import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { noSecrets, type SecretPlace } from "../../../../src/core/ports/secrets.ts";
import type { Runtime } from "../../../../src/core/runtime.ts";
import type { RuntimeOptions } from "../../../../src/core/runtimeOptions.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aFaultHttpServer } from "../../../fakes/faultServers.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { aCall, ScriptedModel, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const require = createRequire(import.meta.url);
const files = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

const server = (folder: string, more = "") =>
	`[mcp_servers.files]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([files, folder])}\n${more}`;

interface Options {
	readonly home?: string;
	readonly repo?: string;
	readonly agent?: string;
	readonly request?: object;
	readonly runtime?: Partial<RuntimeOptions>;
}

async function started(replies: readonly ScriptedReply[], place: (folder: string) => Options) {
	const repoFolder = temporaryFolder({ "notes.txt": "seven\n" });
	const { home, repo, agent = "", request = {}, runtime: options = {} } = place(repoFolder);
	const { mkdirSync, writeFileSync } = await import("node:fs");
	mkdirSync(path.join(repoFolder, ".agents/agents"), { recursive: true });
	writeFileSync(path.join(repoFolder, ".agents/agents/scout.md"), anAgentFile("scout", agent));
	if (repo !== undefined) writeFileSync(path.join(repoFolder, ".agents/config.toml"), repo);
	const homeFolder = temporaryFolder(home === undefined ? {} : { ".agents/config.toml": home });
	const model = new ScriptedModel(...replies);
	const runtime = await aRuntime(model, { repoFolder, homeFolder, ...options });
	const answer = await runtime.spawn({ agent: "scout", task: "Work", ...request });
	if (!answer.accepted) throw new Error(answer.error);
	return { runtime, model, folder: repoFolder, runId: answer.runId };
}

const resultsOf = (model: ScriptedModel, request: number) =>
	model.requests[request]?.messages.flatMap((message) => (message.role === "tool" ? [message.text] : [])) ?? [];
const toolNames = (model: ScriptedModel) => model.requests[0]?.tools.map(({ name }) => name) ?? [];
const noticesOf = async (runtime: Runtime, runId: string) => {
	const key = runtime.runs.get(runId)?.sessionKey ?? "";
	const entries = await runtime.transcripts.readSession(key, 0, 100);
	return entries.filter(({ kind }) => kind === "notice").map(({ text }) => text);
};
const asked = async (runtime: Runtime) => {
	await expect.poll(() => runtime.approvals.waiting.length, { timeout: 20_000 }).toBe(1);
	return runtime.approvals.waiting[0];
};
const read = (folder: string) => aCall("mcp__files__read_text_file", { path: path.join(folder, "notes.txt") }, "m1");
const by = "tree" as const;

describe("an MCP server of the user", { timeout: 40_000 }, () => {
	it("is started without a question, with the tools that its configuration leaves", async () => {
		const { runtime, model, runId } = await started([{ text: "Done." }], (folder) => ({
			home: server(folder, 'enabled_tools = ["read_text_file", "write_file"]\n'),
		}));
		await untilRun(runtime, runId, hasEnded);
		expect(toolNames(model)).toContain("mcp__files__read_text_file");
		expect(toolNames(model)).not.toContain("mcp__files__move_file");
		expect(runtime.mcp.servers).toMatchObject([{ name: "files", state: "ready" }]);
	});

	it("works with what is kept for it in place of a variable, which no log and no store sees", async () => {
		const secret = "kept-9f8e7d6c5b4a";
		const { url } = await aFaultHttpServer();
		const get = async ({ origin }: SecretPlace) => (origin === new URL(url).origin ? secret : undefined);
		const storeFolder = temporaryFolder();
		const logger = new RecordingLogger();
		const { runtime, model, runId } = await started([{ text: "Done." }], () => ({
			home: `[mcp_servers.web]\nurl = "${url}"\nbearer_token_env_var = "NO_SUCH_VARIABLE"\n`,
			runtime: { secrets: { ...noSecrets, get }, storeFolder, logger },
		}));
		await untilRun(runtime, runId, hasEnded);
		expect(toolNames(model)).toContain("mcp__web__echo");
		const stored = readdirSync(storeFolder).filter((name) => name.startsWith("muster.db"));
		expect(stored).toContain("muster.db");
		for (const name of stored) expect(readFileSync(path.join(storeFolder, name)).includes(secret)).toBe(false);
		expect(JSON.stringify([logger, model.requests.map(({ messages }) => messages)])).not.toContain(secret);
	});

	it("answers a call once a person has allowed it, and is asked for each tool by its name", async () => {
		const replies: ScriptedReply[] = [];
		const { runtime, model, runId } = await started(replies, (repoFolder) => {
			replies.push(
				{ calls: [read(repoFolder)] },
				{ calls: [{ ...read(repoFolder), toolCallId: "m2" }] },
				{ text: "Read." },
			);
			return { home: server(repoFolder) };
		});
		const question = await asked(runtime);
		expect(question).toMatchObject({ tool: "mcp__files__read_text_file", effect: "mcp", offers: [{ scope: "run" }] });
		await runtime.approvals.answer(question?.id ?? "", { verdict: "allow", scope: "run", by });
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok" });
		expect(resultsOf(model, 2)).toEqual([expect.stringContaining("seven"), expect.stringContaining("seven")]);
		expect((await runtime.transcripts.verify()).violations).toEqual([]);
	});

	it("is all that an agent may have, whose list names nothing else", async () => {
		const { runtime, model, runId } = await started([{ text: "Done." }], (folder) => ({
			home: server(folder),
			agent: "tools: [mcp__files__read_text_file]\n",
		}));
		await untilRun(runtime, runId, hasEnded);
		expect(toolNames(model)).toEqual(["mcp__files__read_text_file"]);
	});

	it("is missing where the agent's list names none of its tools, and nothing is started", async () => {
		const { runtime, model, runId } = await started([{ text: "Done." }], (folder) => ({
			home: server(folder),
			agent: "tools: [read_file]\n",
		}));
		await untilRun(runtime, runId, hasEnded);
		expect(toolNames(model)).toEqual(["read_file"]);
		expect(runtime.mcp.servers).toEqual([]);
	});

	it("that does not start is missing, the transcript says so, and the run goes on", async () => {
		const { runtime, model, runId } = await started([{ text: "Done." }], () => ({
			home: '[mcp_servers.files]\ncommand = "there-is-no-such-program"\n',
		}));
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok" });
		expect(toolNames(model).some((name) => name.startsWith("mcp__"))).toBe(false);
		expect((await noticesOf(runtime, runId))[0]).toContain('there is no program "there-is-no-such-program"');
	});

	it("lends only what reads to a run in plan mode, and refuses a call of anything else", async () => {
		const calls = [aCall("mcp__files__write_file", { path: "new.txt", content: "eight" })];
		const { runtime, model, folder, runId } = await started(
			[{ text: "I try.", calls }, { text: "# Plan\n\nSUMMARY: x" }],
			(repo) => ({ home: server(repo), request: { planMode: true } }),
		);
		await untilRun(runtime, runId, hasEnded);
		expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", isError: true });
		expect(existsSync(path.join(folder, "new.txt"))).toBe(false);
		expect(toolNames(model)).toContain("mcp__files__read_text_file");
		expect(toolNames(model)).not.toContain("mcp__files__write_file");
	});
});

describe("an MCP server that the folder brings", { timeout: 40_000 }, () => {
	it("is started once a person has seen its command and allowed it, and not asked for again until it changes", async () => {
		const { runtime, folder, runId } = await started([{ text: "Done." }, { text: "Done." }], (repo) => ({
			repo: server(repo),
		}));
		const question = await asked(runtime);
		expect(question).toMatchObject({
			effect: "start",
			tool: "mcp(files)",
			subject: `${process.execPath} ${files} ${folder}`,
		});
		expect(runtime.mcp.servers).toMatchObject([{ state: "stopped" }]);
		await runtime.approvals.answer(question?.id ?? "", { verdict: "allow", by });
		await untilRun(runtime, runId, hasEnded);
		const again = await runtime.spawn({ agent: "scout", task: "Again" });
		if (!again.accepted) throw new Error(again.error);
		await untilRun(runtime, again.runId, hasEnded);
		expect(runtime.approvals.waiting).toEqual([]);
		expect(existsSync(path.join(folder, "notes.txt"))).toBe(true);
	});

	it("stays out when it is denied, and the run goes on without it", async () => {
		const { runtime, model, runId, folder } = await started([{ text: "Done." }], (repo) => ({ repo: server(repo) }));
		const question = await asked(runtime);
		await runtime.approvals.answer(question?.id ?? "", { verdict: "deny", by });
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok" });
		expect(toolNames(model).some((name) => name.startsWith("mcp__"))).toBe(false);
		expect((await noticesOf(runtime, runId)).join("\n")).toContain("is left out: nobody has allowed it");
		expect(readFileSync(path.join(folder, "notes.txt"), "utf8")).toBe("seven\n");
	});

	it("starts unasked by a rule of the user for it, and not at all where the agent asks nobody", async () => {
		const allowed = await started([{ text: "Done." }], (repo) => ({
			repo: server(repo),
			home: '[permissions]\nallow = ["mcp(files)"]\n',
		}));
		await untilRun(allowed.runtime, allowed.runId, hasEnded);
		expect(toolNames(allowed.model)).toContain("mcp__files__read_text_file");
		const silent = await started([{ text: "Done." }], (repo) => ({ repo: server(repo), agent: "onAsk: deny\n" }));
		await untilRun(silent.runtime, silent.runId, hasEnded);
		expect(toolNames(silent.model).some((name) => name.startsWith("mcp__"))).toBe(false);
	});
});
