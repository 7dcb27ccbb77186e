import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { CommandLine } from "../../fakes/commandLine.ts";

interface Row extends Readonly<Record<string, unknown>> {
	readonly runId: string;
	readonly sessionKey: string;
}

async function list(line: CommandLine, ...words: readonly string[]): Promise<readonly Row[]> {
	return (await line.read<{ runs: readonly Row[] }>("list", ...words)).runs;
}

/** Its runs, newest first. */
async function aLineWithRuns(...tasks: readonly string[]): Promise<{ line: CommandLine; runs: readonly Row[] }> {
	const line = new CommandLine();
	for (const task of tasks) await line.call("run", "scout", task);
	return { line, runs: await list(line) };
}

describe("the verbs that read", { timeout: 30_000 }, () => {
	it("list runs, newest first, in rows of one shape, and by state", async () => {
		const { line, runs } = await aLineWithRuns("Count", "Fail");
		expect(runs.map(({ task, state }) => ({ task, state }))).toEqual([
			{ task: "Fail", state: "error" },
			{ task: "Count", state: "ok" },
		]);
		expect(runs[1]).toEqual({
			runId: expect.stringMatching(/^run_/u),
			sessionId: expect.stringMatching(/^ses_/u),
			sessionKey: expect.stringMatching(/^agent:scout:subagent:/u),
			state: "ok",
			agentId: "scout",
			label: null,
			task: "Count",
			lane: "subagent",
			model: "demo/demo",
			parentRunId: null,
			requesterSessionId: expect.stringMatching(/^ses_/u),
			queuedAt: expect.any(Number),
			startedAt: expect.any(Number),
			endedAt: expect.any(Number),
			usage: {
				inputTokens: expect.any(Number),
				outputTokens: expect.any(Number),
				cacheReadTokens: 0,
				reasoningTokens: 0,
				usd: 0,
				estimated: true,
			},
			undelivered: null,
		});
		expect(await list(line, "--state", "error")).toEqual(runs.slice(0, 1));
		expect(await list(line, "--state", "lost")).toEqual([]);
		const { out } = await line.call("list", "--state", "ok");
		expect(out).toBe(`${runs[1]?.runId}  ok        scout  Count\n`);
	});

	it("say of a result that was not delivered that it was not, and why", async () => {
		const { line, runs } = await aLineWithRuns("Count");
		const runId = runs[0]?.runId ?? "";
		const database = new DatabaseSync(line.databaseFile);
		database.exec("DROP TRIGGER announcement_is_settled_once; UPDATE announcement SET state = 'dead_letter'");
		database.close();
		expect((await line.call("list")).out).toBe(`${runId}  ok        scout  Count  (result not delivered)\n`);
		expect(await list(line)).toMatchObject([{ runId, undelivered: "dead_letter" }]);
		const { out } = await line.call("show", runId);
		expect(out).toMatch(/^result {2}not delivered: who asked for it is gone$/mu);
	});

	it("show a run with its events, and the history of its session and of the one that asked", async () => {
		const { line, runs } = await aLineWithRuns("Count");
		const [{ runId, sessionKey }] = runs as [Row];
		const shown = await line.read<{ events: readonly { type: string }[] }>("show", runId, "--events");
		expect(shown).toMatchObject({ run: { ...runs[0], summary: "Seven.", error: null, cause: "spawn", hold: null } });
		expect(shown.events.map(({ type }) => type)).toEqual(
			["spawned", "queued", "started", "progressed", "ended", "announced"].map((name) => `subagent.${name}`),
		);
		const inWords = await line.call("show", runId);
		expect(inWords.out).toMatch(/^state {3}ok$/mu);
		expect(inWords.out).toMatch(/^summary Seven\.$/mu);

		const at = expect.any(Number) as number;
		expect(await line.read("history", sessionKey)).toEqual({
			messages: [
				{ role: "user", text: "Count", at, source: "user" },
				{ role: "assistant", text: "I count seven.\n\nSUMMARY: Seven.", at, source: "agent" },
			],
		});
		expect(await line.read("history", "agent:main:cli")).toEqual({
			messages: [{ role: "subagent", text: expect.stringContaining("Seven."), at, source: "subagent", runId }],
		});
	});

	it("read a session that is longer than they hold at once, message by message", async () => {
		const { line, runs } = await aLineWithRuns("Count");
		const [{ sessionKey }] = runs as [Row];
		const database = new DatabaseSync(line.databaseFile);
		// One turn in 600 pieces, over the end of a page, then 1,000 messages.
		database.exec(`
			WITH RECURSIVE piece (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM piece WHERE n < 1599)
			INSERT INTO entry (session_id, run_id, turn, kind, text, at)
			SELECT session_id, id, 2 + max(0, n - 599), 'text', n || ' ', 1 FROM piece, (SELECT session_id, id FROM run)`);
		database.close();
		const { messages } = await line.read<{ messages: readonly { text: string }[] }>("history", sessionKey);
		expect(messages).toHaveLength(2 + 1 + 1_000);
		expect(messages[2]?.text).toBe(Array.from({ length: 600 }, (_, n) => `${n} `).join(""));
		expect(messages.at(-1)?.text).toBe("1599 ");
		expect((await line.call("history", sessionKey)).out).toContain("\n1599 \n");
	});

	it("take the beginning of an id where it is unique, and ask for more of it where not", async () => {
		const { line, runs } = await aLineWithRuns("Count", "Count");
		const [newest, oldest] = runs.map(({ runId }) => runId) as [string, string];
		const shared = [...newest].findIndex((character, index) => character !== oldest[index]);
		const unique = newest.slice(0, shared + 1);
		expect(await line.read("show", unique)).toMatchObject({ run: { runId: newest } });
		expect(await line.read("show", unique.replace("run_", ""))).toMatchObject({ run: { runId: newest } });
		expect(await line.call("show", newest.slice(0, shared))).toEqual({
			code: 1,
			out: "",
			err: `muster: Several runs begin with ${newest.slice(0, shared)}. Give more of the id.\n`,
		});
		expect(await line.call("history", newest.slice(0, shared))).toMatchObject({
			code: 1,
			err: expect.stringContaining("Several sessions begin with"),
		});
	});

	it("verify a sound store, and name what was planted in one that is not", async () => {
		const { line, runs } = await aLineWithRuns("Count");
		expect(await line.read("verify")).toMatchObject({ ok: true, violations: [] });
		const database = new DatabaseSync(line.databaseFile);
		database.exec("DROP TRIGGER announcement_is_kept; DELETE FROM announcement");
		database.close();
		const { code, out } = await line.call("verify", "--json");
		const found = JSON.parse(out) as { ok: boolean; violations: readonly { invariant: string; record: string }[] };
		expect({ code, ok: found.ok }).toEqual({ code: 1, ok: false });
		expect(found.violations).toContainEqual(
			expect.objectContaining({
				invariant: expect.stringContaining("an ended run has one announcement"),
				record: expect.stringContaining(runs[0]?.runId ?? "no run"),
			}),
		);
		expect((await line.call("verify")).out).toContain("an ended run has one announcement");
	});

	it("find nothing wrong where nothing has run", async () => {
		expect(await new CommandLine().read("verify")).toEqual({ ok: true, checked: [], violations: [] });
	});
});

describe("a verb about something that is not there", { timeout: 30_000 }, () => {
	const verbs = [
		["show", "run_nine"],
		["stop", "run_nine"],
		["remove", "run_nine"],
		["resume", "run_nine"],
		["history", "agent:nobody"],
		["send", "agent:nobody", "Hello"],
	] as const;
	const sentence = (word: string) =>
		`muster: There is no ${word.startsWith("run") ? "run" : "session"} ${word} in this workspace.\n`;

	it("exits with 1 and says so", async () => {
		const { line } = await aLineWithRuns("Count");
		const results = await Promise.all(verbs.map((words) => line.call(...words)));
		expect(results).toEqual(verbs.map((words) => ({ code: 1, out: "", err: sentence(words[1]) })));
	});

	it("exits with 1 and says so where nothing has run, without making a store", async () => {
		const line = new CommandLine();
		const results = await Promise.all(verbs.map((words) => line.call(...words)));
		expect(results).toEqual(verbs.map((words) => ({ code: 1, out: "", err: sentence(words[1]) })));
		expect(existsSync(line.databaseFile)).toBe(false);
	});
});
