import { describe, expect, it } from "vitest";
import { CommandLine } from "../../fakes/commandLine.ts";

interface Line {
	readonly type: string;
	readonly at: number;
	readonly runId: string;
	readonly answer?: Readonly<Record<string, unknown>>;
}

const toLines = (out: string) =>
	out
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as Line);

describe("muster run", { timeout: 30_000 }, () => {
	it("shows a person what is queued, what is said, how it ended and what is announced", async () => {
		const { code, out, err } = await new CommandLine().call("run", "scout", "Count the notes");
		expect({ code, err }).toEqual({ code: 0, err: "" });
		const run = /run_[0-9a-f]{32}/u.exec(out)?.[0] ?? "";
		expect(
			out
				.replaceAll(run, "RUN")
				.replace(/(session: agent:scout:subagent:)\S+/u, "$1KEY")
				.split("\n"),
		).toEqual([
			"● RUN scout: queued (1. in its lane): Count the notes",
			"● RUN scout: running on demo/demo",
			"I count seven.",
			"",
			"SUMMARY: Seven.",
			"● RUN scout: ended ok",
			"",
			'[Subagent] "Count the notes" completed successfully',
			"session: agent:scout:subagent:KEY",
			"",
			"Summary: Seven.",
			"",
			expect.stringMatching(/^Stats: runtime \d+s • tokens \d+ \(in \d+ \/ out \d+\) • \$0\.00$/u),
			"",
		]);
	});

	it("prints with --json one event per line, from the whole answer to one announcement", async () => {
		const { code, out, err } = await new CommandLine().call("run", "scout", "Count", "--json");
		expect({ code, err }).toEqual({ code: 0, err: "" });
		const lines = toLines(out);
		// How often it says how far it is depends on how long it takes.
		const isProgress = ({ type }: Line) => type === "subagent.progressed";
		expect(lines.filter((line) => !isProgress(line)).map(({ type }) => type)).toEqual([
			"subagent.spawned",
			"subagent.queued",
			"subagent.started",
			"subagent.ended",
			"subagent.announced",
		]);
		expect(lines[3]).toMatchObject({ type: "subagent.progressed", turn: 1, usage: { estimated: expect.any(Boolean) } });
		const [{ runId, answer }] = lines as [Line];
		expect(answer).toEqual({
			status: "accepted",
			accepted: true,
			runId,
			run_id: runId,
			subRunId: runId,
			sessionId: expect.stringMatching(/^ses_[0-9a-f]{32}$/u),
			subSessionId: answer?.["sessionId"],
			sessionKey: expect.stringMatching(/^agent:scout:subagent:[0-9a-f-]{36}$/u),
			childSessionKey: answer?.["sessionKey"],
			child_session_key: answer?.["sessionKey"],
			lane: "subagent",
			queuePosition: 1,
			resolvedModel: "demo/demo",
			modelApplied: true,
		});
		const facts = { runId, sessionId: answer?.["sessionId"], agentId: "scout", runKind: "subagent", lane: "subagent" };
		for (const line of lines) expect(line).toMatchObject({ ...facts, parentRunId: null, at: expect.any(Number) });
		expect(lines.at(-1)).toMatchObject({ delivery: "delivered", status: "ok", error: null });
		expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted((one, other) => one - other));
	});

	it("exits with 1 when a run does not end ok, with its failure among the events", async () => {
		const { code, out } = await new CommandLine().call("run", "scout", "Fail", "--json");
		expect(code).toBe(1);
		const failed = { state: "error", error: "the model is on strike" };
		expect(toLines(out)).toContainEqual(expect.objectContaining({ type: "subagent.failed", ...failed }));
		expect(toLines(out).at(-1)).toMatchObject({ type: "subagent.announced", status: "error", error: failed.error });
	});

	it("exits with 1 and the available names when there is no such agent, and leaves no record", async () => {
		const line = new CommandLine();
		const inWords = await line.call("run", "scuot", "Count");
		expect(inWords).toEqual({
			code: 1,
			out: "",
			err: 'muster: error: There is no agent named "scuot". Available: scout.\n',
		});
		const asJson = await line.call("run", "scuot", "Count", "--json");
		expect({ code: asJson.code, answer: JSON.parse(asJson.out) as unknown }).toMatchObject({
			code: 1,
			answer: { status: "error", accepted: false, error: expect.stringContaining("Available: scout.") },
		});
		expect(await line.read("list")).toEqual({ runs: [] });
	});

	it("exits with 2 and the reason when a call is off", async () => {
		const line = new CommandLine();
		const cases: readonly (readonly [readonly string[], string])[] = [
			[["run", "scout"], "<task> is missing."],
			[["run"], "<agent> and <task> is missing."],
			[["run", "scout", "Count", "--count", "0"], "--count must be a whole number"],
			[["run", "scout", "Count", "--on-ask", "maybe"], "--on-ask must be inbox or deny."],
			[["run", "scout", "Count", "it"], "“it” is one word too many."],
			[["list", "--state", "done"], "There is no state “done”. There are: queued, running"],
			[["resume"], "Name one run, or give --all."],
			[["send", "agent:main:cli"], "<text> is missing."],
		];
		const results = await Promise.all(cases.map(([words]) => line.call(...words)));
		expect(results).toEqual(cases.map(([, reason]) => ({ code: 2, out: "", err: expect.stringContaining(reason) })));
	});

	it("puts --context into the first message and says which model and role it could not have", async () => {
		const line = new CommandLine();
		const more = ["--context", "There are notes.", "--model", "nowhere/large", "--role", "backend"];
		const { code, out, err } = await line.call("run", "scout", "Count", ...more, "--json");
		expect(code).toBe(0);
		const [{ runId, answer }] = toLines(out) as [Line];
		expect(answer).toMatchObject({ modelApplied: false, resolvedModel: "demo/demo" });
		expect(answer?.["warning"]).toContain("nowhere/large");
		expect(answer?.["warning"]).toContain('no role pack "backend"');
		expect(err).toBe(`muster: ${String(answer?.["warning"])}\n`);
		expect(await line.read("show", runId)).toMatchObject({ run: { role: "backend", model: "demo/demo" } });
		const { messages } = await line.read<{ messages: readonly { text: string }[] }>("history", runId);
		expect(messages[0]?.text).toBe("Context:\nThere are notes.\n\nTask:\nCount");
	});

	it("starts so many as --count says, and announces each once", async () => {
		const { code, out } = await new CommandLine().call("run", "scout", "Count", "--count", "3", "--json");
		expect(code).toBe(0);
		const lines = toLines(out);
		const idsOf = (type: string) => lines.filter((line) => line.type === type).map(({ runId }) => runId);
		const spawned = idsOf("subagent.spawned");
		expect(new Set(spawned).size).toBe(3);
		expect(idsOf("subagent.announced").toSorted()).toEqual(spawned.toSorted());
	});
});
