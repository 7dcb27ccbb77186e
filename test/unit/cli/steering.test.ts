import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { CommandLine } from "../../fakes/commandLine.ts";
import { isRunning } from "../core/processes/isRunning.ts";

interface Row {
	readonly runId: string;
	readonly sessionId: string;
	readonly sessionKey: string;
	readonly state: string;
	readonly task: string;
}

interface Message {
	readonly role: string;
	readonly text: string;
	readonly runId?: string;
}

const list = async (line: CommandLine) => (await line.read<{ runs: readonly Row[] }>("list")).runs;
const history = async (line: CommandLine, session: string) =>
	(await line.read<{ messages: readonly Message[] }>("history", session)).messages;

/** Kills its process as if the machine had failed, once its run has said something that is stored. */
async function aLostRun(line: CommandLine): Promise<Row> {
	const call = line.start("run", "scout", "Hang");
	await call.said("Half an answer");
	call.process.kill("SIGKILL");
	await call.ended;
	const [run] = await list(line);
	if (!run) throw new Error("It left no run");
	return run;
}

describe("the verbs that change runs", { timeout: 30_000 }, () => {
	it("send something to a session, where a new run answers that is announced as well", async () => {
		const line = new CommandLine();
		await line.call("run", "scout", "Count");
		const [first] = (await list(line)) as [Row];
		const { code, out } = await line.call("send", first.sessionKey, "And now?");
		expect(code).toBe(0);
		expect(out).toContain("Now it is eight.");
		expect(out).toContain("completed successfully");
		const runs = await list(line);
		expect(runs.map(({ sessionId, state }) => ({ sessionId, state }))).toEqual([
			{ sessionId: first.sessionId, state: "ok" },
			{ sessionId: first.sessionId, state: "ok" },
		]);
		expect((await history(line, first.sessionKey)).map(({ role, text }) => `${role}: ${text.split("\n")[0]}`)).toEqual([
			"user: Count",
			"assistant: I count seven.",
			"user: And now?",
			"assistant: Now it is eight.",
		]);
		const announced = (await history(line, "agent:main:cli")).map(({ runId }) => runId);
		expect(announced).toEqual(runs.map(({ runId }) => runId).toReversed());
	});

	it("stop a run of another process, which then ends by itself, and remove it only then", async () => {
		const line = new CommandLine();
		const call = line.start("run", "scout", "Hang");
		await call.said("Half an answer");
		const [{ runId }] = (await list(line)) as [Row];
		const refusal = "muster: This run has not ended. Stop it first.\n";
		expect(await line.call("remove", runId)).toEqual({ code: 1, out: "", err: refusal });

		expect(await line.call("stop", runId)).toEqual({ code: 0, out: `${runId} canceled\n`, err: "" });
		const { code, out } = await call.ended;
		expect(code).toBe(1);
		expect(out).toContain('[Subagent] "Hang" was stopped');
		expect((await line.call("stop", runId)).out).toBe(`${runId} had ended before: canceled\n`);

		expect(await line.call("remove", runId)).toEqual({ code: 0, out: `${runId} removed\n`, err: "" });
		expect(await list(line)).toEqual([]);
		expect(await line.read("show", runId)).toMatchObject({
			run: { state: "canceled", archivedAt: expect.any(Number) },
		});
	});

	it("lose the run of a killed process once, tell its requester once, and resume it from its transcript", async () => {
		const line = new CommandLine();
		const lost = await aLostRun(line);
		const { code, out } = await line.call("resume", lost.runId);
		expect(code).toBe(0);
		expect(out).toContain("I went on.");
		const states = Object.fromEntries((await list(line)).map(({ runId, state }) => [runId, state]));
		expect(states).toMatchObject({ [lost.runId]: "lost" });
		expect(Object.values(states).toSorted()).toEqual(["lost", "ok"]);
		expect((await history(line, lost.sessionKey)).map(({ role, text }) => `${role}: ${text.slice(0, 14)}`)).toEqual([
			"user: Hang",
			"assistant: Half an answer",
			"user: Your last run ",
			"assistant: I went on.\n\nSU",
		]);
		const { events } = await line.read<{ events: readonly { type: string }[] }>("show", lost.runId, "--events");
		const types = events.map(({ type }) => type.replace("subagent.", ""));
		expect(types).toEqual(["spawned", "queued", "started", "ended", "failed", "announced"]);
		const told = (await history(line, "agent:main:cli")).filter(({ runId }) => runId === lost.runId);
		expect(told.map(({ text }) => text.split("\n")[0])).toEqual(['[Subagent] "Hang" was lost']);
		expect(await line.read("verify")).toMatchObject({ ok: true });
	});

	it("stop all their runs on Ctrl-C, and resume with --all what is parked", async () => {
		const line = new CommandLine();
		const busy = line.start("run", "scout", "Hang", "--count", "8");
		await busy.said("Half an answer");
		const queued = line.start("run", "scout", "Count");
		await queued.said(": Count");
		queued.process.kill("SIGKILL");
		await queued.ended;

		busy.process.kill("SIGINT");
		const { code, out, err } = await busy.ended;
		expect({ code, err }).toEqual({ code: 1, err: "muster: Stopping. Once more ends at once.\n" });
		expect(out.match(/was stopped$/gmu)).toHaveLength(8);

		const resumed = await line.call("resume", "--all");
		expect(resumed).toMatchObject({ code: 0, out: expect.stringContaining("I count seven.") });
		expect((await list(line)).map(({ state }) => state)).toEqual([
			"ok",
			...Array.from({ length: 8 }, () => "canceled"),
		]);
		expect(await line.call("resume", "--all")).toEqual({ code: 0, out: "", err: "muster: No run is parked.\n" });
	});

	it("leave a run with --detach to a process that ends with it", async () => {
		const line = new CommandLine();
		const { code, out, err } = await line.call("run", "scout", "Hang", "--detach");
		expect({ code, err }).toEqual({ code: 0, err: "" });
		expect(out).toMatch(/^run_[0-9a-f]{32}\n$/u);
		const database = new DatabaseSync(line.databaseFile);
		const { pid } = database.prepare("SELECT pid FROM host").get() as { pid: number };
		database.close();
		onTestFinished(() => void (isRunning(pid) && process.kill(pid, "SIGKILL")));
		expect(isRunning(pid)).toBe(true);
		expect(await line.call("stop", out.trim())).toMatchObject({ code: 0 });
		await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
		expect(await line.read("verify")).toMatchObject({ ok: true });
		const told = await history(line, "agent:main:cli");
		expect(told.map(({ runId }) => runId)).toEqual([out.trim()]);
	});

	it("say with --detach what is off about the call, as without", async () => {
		const line = new CommandLine();
		const { code, out, err } = await line.call("run", "scuot", "Count", "--detach");
		expect({ code, out }).toEqual({ code: 1, out: "" });
		expect(err).toContain('There is no agent named "scuot"');
	});
});
