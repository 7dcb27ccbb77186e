/** Conversations that outgrow their model's window, in whole runs on a real store. */
import { describe, expect, it } from "vitest";
import type { Model, ModelMessage, ModelRequest } from "../../../../src/core/models/modelPort.ts";
import { ModelRegistry } from "../../../../src/core/models/modelRegistry.ts";
import type { Run } from "../../../../src/core/runs/run.ts";
import type { Runtime } from "../../../../src/core/runtime.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aCall, ScriptedModel, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { WindowedModel } from "../../../fakes/windowedModel.ts";

/** About 1,000 tokens each. */
const files = Object.fromEntries(
	Array.from({ length: 8 }, (_, index) => [
		`part${index}.txt`,
		`part ${index}\n${`${"word ".repeat(20)}\n`.repeat(40)}`,
	]),
);
const reads = (count: number): ScriptedReply[] =>
	Array.from({ length: count }, (_, index) => ({
		text: `Step ${index}. `,
		calls: [aCall("read_file", { path: `part${index}.txt` }, `read-${index}`)],
	}));
const done = { text: "All read. SUMMARY: All read." };
const tooLong = { error: "The prompt is too long.", errorKind: "context-overflow" } as const;
const block = "[muster: the turns before this were summarised to make room]";
/** With the prompt and the tools, what is read fills it soon. */
const smallWindow = 12_000;

async function start(model: Model, options: Parameters<typeof aRuntime>[1] = {}) {
	const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout"), ...files });
	const runtime = await aRuntime(model, { repoFolder, ...options });
	const answer = await runtime.spawn({ agent: "scout", task: "Read every part" });
	if (!answer.accepted) throw new Error(answer.error);
	return { runtime, run: await untilRun(runtime, answer.runId, hasEnded) };
}

const textOf = (message: ModelMessage | undefined) => message?.text ?? "";
const blocksOf = ({ messages }: ModelRequest) => messages.filter((message) => textOf(message).startsWith(block));

/** Each result follows the answer with its call, or another result of it; each call has its result. */
function expectWhole({ messages }: ModelRequest): void {
	let open: string[] = [];
	const parted: string[] = [];
	for (const message of messages) {
		if (message.role === "tool") {
			if (!open.includes(message.toolCallId)) parted.push(message.toolCallId);
			open = open.filter((id) => id !== message.toolCallId);
		} else {
			parted.push(...open);
			open = message.role === "assistant" ? message.toolCalls.map(({ toolCallId }) => toolCallId) : [];
		}
	}
	expect([...parted, ...open]).toEqual([]);
}

async function noticesOf(runtime: Runtime, run: Run): Promise<readonly string[]> {
	const entries = await runtime.transcripts.read(run, 0, 500);
	return entries.filter(({ kind }) => kind === "notice").map(({ text }) => text);
}

describe("a long run", () => {
	it("has its older turns summarised before a request comes near the window; task, last turns and pairs stay", async () => {
		const model = new WindowedModel(smallWindow, [...reads(8), done], [{ text: "Parts 0 to n say word." }]);
		const { runtime, run } = await start(model);
		expect(run).toMatchObject({ state: "ok", summary: "All read." });
		expect(model.summaryRequests).toHaveLength(1);
		expect(model.summaryRequests[0]).toMatchObject({ tools: [], toolChoice: "none" });
		expect(textOf(model.summaryRequests[0]?.messages[0])).toContain("Result of read_file: ");
		const compacted = model.requests.findIndex((request) => blocksOf(request).length > 0);
		expect(compacted).toBeGreaterThan(2);
		for (const request of model.requests) expectWhole(request);
		for (const request of model.requests.slice(compacted)) {
			expect(request.messages[0]).toEqual({ role: "user", text: "Read every part" });
			expect(textOf(request.messages[1])).toContain("Parts 0 to n say word.");
			expect(blocksOf(request)).toHaveLength(1);
		}
		const [before, after] = [model.requests[compacted - 1], model.requests[compacted]];
		expect(after?.messages.length).toBeLessThan(before?.messages.length ?? 0);
		const last = `read-${compacted - 1}`;
		expect(after?.messages.at(-1)).toMatchObject({
			role: "tool",
			toolCallId: last,
			text: expect.stringContaining("word"),
		});
		expect(await noticesOf(runtime, run)).toEqual([expect.stringContaining(block)]);
		expect((await runtime.transcripts.verify()).violations).toEqual([]);
	});

	it("counts what the summary used as its own", async () => {
		const model = new WindowedModel(smallWindow, [...reads(8), done], [{ text: "Read." }]);
		const { run } = await start(model);
		expect(run.usage.inputTokens).toBe(model.spent);
		expect(run.usage.usd).toBeCloseTo(0.01 * (model.requests.length + 1));
	});

	it("is never compacted while there is room", async () => {
		const model = new WindowedModel(128_000, [...reads(8), done], []);
		const { run } = await start(model);
		expect(run.state).toBe("ok");
		expect(model.summaryRequests).toEqual([]);
	});

	it("may be compacted again; the summary before goes into the next", async () => {
		const turns = [
			...reads(8),
			...reads(8).map(({ calls = [] }, index) => ({ calls, text: `Again ${index}. ` })),
			done,
		];
		const model = new WindowedModel(smallWindow, turns, [{ text: "First." }, { text: "Second." }, { text: "Third." }]);
		const { run } = await start(model);
		expect(run.state).toBe("ok");
		expect(model.summaryRequests.length).toBeGreaterThan(1);
		expect(textOf(model.summaryRequests[1]?.messages[0])).toContain("First.");
		expect(blocksOf(model.requests.at(-1) as ModelRequest)).toHaveLength(1);
		expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain("First.");
		for (const request of model.requests) expectWhole(request);
	});
});

describe("a request that the provider refuses as too long", () => {
	it("is made again once the older turns are summarised", async () => {
		const model = new WindowedModel(
			128_000,
			[...reads(3), { ...tooLong, text: "Half a " }, done],
			[{ text: "Read so far." }],
		);
		const { runtime, run } = await start(model);
		expect(run).toMatchObject({ state: "ok", summary: "All read." });
		expect(textOf(model.requests.at(-1)?.messages[1])).toContain("Read so far.");
		expectWhole(model.requests.at(-1) as ModelRequest);
		const entries = await runtime.transcripts.read(run, 0, 100);
		expect(entries.map(({ text }) => text).join("\n")).not.toContain("Half a ");
	});

	it("ends the run with the provider's words when it is refused again", async () => {
		const model = new WindowedModel(128_000, [...reads(3), tooLong, tooLong, done], [{ text: "Read." }]);
		expect((await start(model)).run).toMatchObject({ state: "error", error: "The prompt is too long." });
		expect(model.summaryRequests).toHaveLength(1);
	});

	it.each([
		["the summary fails", { error: "No quota is left." }, "demo/scripted: No quota is left."],
		["there is no summary", { text: " " }, "demo/scripted gave no summary."],
	])("ends the run with the provider's words and the reason when %s", async (_, summary, reason) => {
		const model = new WindowedModel(128_000, [...reads(3), tooLong, done], [summary]);
		const { runtime, run } = await start(model);
		const error = `The prompt is too long. The older turns could not be summarised: ${reason}`;
		expect(run).toMatchObject({ state: "error", error });
		expect(await noticesOf(runtime, run)).toEqual([`The older turns could not be summarised: ${reason}`, error]);
	});

	it("ends the run with the provider's words when there is nothing to summarise", async () => {
		const model = new WindowedModel(128_000, [tooLong, done], []);
		const { run } = await start(model);
		expect(run.error).toMatch(/^The prompt is too long\. .*There is no older turn/u);
		expect(model.summaryRequests).toEqual([]);
	});
});

describe("a compaction", () => {
	it("that fails near the window is said, and the run goes on without it", async () => {
		const model = new WindowedModel(smallWindow, [...reads(8), done], [{ error: "Out of order." }]);
		const { runtime, run } = await start(model);
		expect(run.state).toBe("ok");
		expect(model.summaryRequests).toHaveLength(1);
		expect(await noticesOf(runtime, run)).toEqual([
			"The older turns could not be summarised: demo/scripted: Out of order.",
		]);
	});

	it("is stopped with its run", async () => {
		const model = new WindowedModel(smallWindow, [...reads(8), done], [{ text: "I begin", hangs: "deafly" }]);
		const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout"), ...files });
		const runtime = await aRuntime(model, { repoFolder });
		const answer = await runtime.spawn({ agent: "scout", task: "Read every part" });
		if (!answer.accepted) throw new Error(answer.error);
		await untilRun(runtime, answer.runId, ({ activity }) => activity === "summarises its older turns");
		await runtime.stop(answer.runId);
		expect(await untilRun(runtime, answer.runId, hasEnded)).toMatchObject({ state: "canceled" });
	});

	it("is read by who goes on with the session, with all that was said since", async () => {
		const model = new WindowedModel(
			smallWindow,
			[...reads(8), done, { text: "Nothing. SUMMARY: No." }],
			[{ text: "Read." }],
		);
		const { runtime, run } = await start(model);
		const { kind } = await runtime.control.send(await runtime.control.session(run.sessionId), "What is left?");
		await expect.poll(() => runtime.runs.list().filter(hasEnded).length).toBe(2);
		expect(kind).toBe("started");
		const [before, resumed] = model.requests.slice(-2) as [ModelRequest, ModelRequest];
		expect(resumed.messages.slice(0, before.messages.length)).toEqual(before.messages);
		expect(resumed.messages.slice(before.messages.length).map(textOf)).toEqual([done.text, "What is left?"]);
		expectWhole(resumed);
	});

	it("is made by the model of the role Compaction, and by the run's own where that can't be used", async () => {
		for (const [mapped, expected] of [
			["cheap/small", 1],
			["cheap/gone", 0],
		] as const) {
			const model = new WindowedModel(smallWindow, [...reads(8), done], [{ text: "By itself." }]);
			const small = new ScriptedModel({ text: "By the small one." });
			const providers = [
				{ id: "demo", label: "Demo", model: (id: string) => (id === "scripted" ? model : undefined) },
				{ id: "cheap", label: "Cheap", model: (id: string) => (id === "small" ? small : undefined) },
			];
			const home = temporaryFolder({ ".agents/config.toml": `[model_roles]\nCompaction = "${mapped}"\n` });
			const models = new ModelRegistry(providers, "demo/scripted");
			expect((await start(model, { models, homeFolder: home })).run.state).toBe("ok");
			expect(small.requests).toHaveLength(expected);
			expect(model.summaryRequests).toHaveLength(1 - expected);
		}
	});
});
