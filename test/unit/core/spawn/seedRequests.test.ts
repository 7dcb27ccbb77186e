import { describe, expect, it } from "vitest";
import { aSession } from "../../../fakes/aStore.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

/** As they are written in the seeds, word for word. */
const examples = {
	"001, the basic call": {
		task: "分析这个项目的代码架构，找出所有模块和依赖关系",
		label: "code_analysis",
		cleanup: "delete",
	},
	"001, the call to another agent": {
		task: "审查这段代码的性能问题",
		agent_id: "coder",
		label: "code_review",
		cleanup: "keep",
	},
	"001, every parameter but mcp_config_path": {
		task: "调研最新的 AI 技术",
		label: "research",
		task_id: "t-1",
		agent_id: "coder",
		model: "openai-codex/gpt-5.3-codex",
		thinking: "low",
		repo_dir: ".",
		run_timeout_seconds: 600,
		cleanup: "keep",
	},
	"002, sessions_spawn": {
		task: "请并发采集过去24小时AI芯片新闻并归纳风险点",
		agentId: "main",
		deliver: false,
		announce: true,
		timeoutSeconds: 600,
		metadata: { topic: "ai-chip-news" },
	},
	"004, sessions_spawn(task, label?)": { task: "Look", label: "任务名" },
};

describe("the requests of the seeds", () => {
	it("are accepted word for word, with the answers that the seeds show", async () => {
		const repoFolder = temporaryFolder({ ".agents/agents/coder.md": anAgentFile("coder") });
		const model = new ScriptedModel(...Object.keys(examples).map(() => ({ text: "Done." })));
		const runtime = await aRuntime(model, { repoFolder });
		for (const [name, request] of Object.entries(examples)) {
			const requester = { session: aSession("agent:main:mcp-1", "external"), runId: null, isPerson: false };
			const answer = await runtime.spawn(request, { ...requester, session: { ...requester.session, agentId: "main" } });
			if (!answer.accepted) throw new Error(`${name}: ${answer.error}`);
			const { runId, sessionId, sessionKey } = answer;
			expect(answer).toMatchObject({ status: "accepted", child_session_key: sessionKey, run_id: runId });
			expect(answer).toMatchObject({ subSessionId: sessionId, subRunId: runId, lane: "subagent" });
			expect(sessionKey).toMatch(
				"agent_id" in request ? /^agent:coder:subagent:[0-9a-f-]{36}$/u : /^agent:main:subagent:[0-9a-f-]{36}$/u,
			);
			const run = await untilRun(runtime, runId, hasEnded);
			expect(run).toMatchObject({ state: "ok", task: request.task });
		}
		expect(runtime.runs.list().find(({ agentId, label }) => agentId === "main" && label === null)).toMatchObject({
			request: { runTimeoutSeconds: 600, deliver: false, metadata: { topic: "ai-chip-news" } },
		});
	});

	it("start a main agent's own helper without telling it that it is the main agent", async () => {
		const model = new ScriptedModel({ text: "Done." });
		const runtime = await aRuntime(model);
		const answer = await runtime.spawn({ task: "Look" });
		if (!answer.accepted) throw new Error(answer.error);
		await untilRun(runtime, answer.runId, hasEnded);
		const { system = "", tools = [] } = model.requests[0] ?? {};
		expect(system).toContain("You are NOT the main agent.");
		expect(system).not.toContain("You are the main agent");
		expect(tools.map(({ name }) => name)).toContain("read_file");
		expect(tools.filter(({ name }) => /^sessions_|spawn_agent|agents_list/u.test(name))).toEqual([]);
	});

	it("of plan mode start a run that plans and keeps its session", async () => {
		const runtime = await aRuntime(new ScriptedModel({ text: "# Plan" }));
		const answer = await runtime.spawn({ agent: "scout", task: "Plan it", planMode: true, cleanup: "delete" });
		if (!answer.accepted) throw new Error(answer.error);
		expect(runtime.runs.get(answer.runId)).toMatchObject({ cleanup: "keep", request: { planMode: true } });
	});
});
