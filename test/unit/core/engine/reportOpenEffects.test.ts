import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hashBytes } from "../../../../src/core/base/hashBytes.ts";
import { reportOpenEffects } from "../../../../src/core/engine/reportOpenEffects.ts";
import type { Database } from "../../../../src/core/store/database.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { plainFileAccess } from "../../../../src/core/tools/plainFileAccess.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { accept, aSession, aStore, claim, end } from "../../../fakes/aStore.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const session = aSession("agent:scout:subagent:run_a", "subagent");

/** A run that began calls in a folder and was cut off, and the run that goes on. */
function aCutRun() {
	const root = temporaryFolder({ "old.txt": "seven" });
	const sql = aStore();
	accept(sql, "run_a", { session });
	claim(sql);
	const sessionId = operations.getRun(sql, { runId: "run_a" })?.sessionId ?? "";
	const begin = (callId: string, tool: string, kind: string, subject: string) =>
		operations.beginEffect(sql, {
			runId: "run_a",
			sessionId,
			callId,
			tool,
			kind,
			subject,
			inputHash: "",
			because: "the user allows it",
			at: 3,
		});
	const hash = (text: string) => hashBytes(Buffer.from(text));
	function write(callId: string, name: string, before: string | null, after: string) {
		const file = path.join(root, name);
		begin(callId, "write_file", "write", file);
		const preImage = before === null ? null : Buffer.from(before);
		const baseHash = before === null ? null : hash(before);
		const plan = { runId: "run_a", callId, path: file, preImage, baseHash, intendedHash: hash(after), at: 4 };
		operations.planChange(sql, plan);
	}
	async function goOn(id: string) {
		end(sql, "run_a", "error");
		const run = accept(sql, id, { session, cause: "resume" });
		claim(sql);
		const call = async (name: keyof typeof operations, input: never) =>
			(operations[name] as (store: typeof sql, given: never) => unknown)(sql, input);
		const database = { call } as unknown as Database;
		await reportOpenEffects(run, { database, clock: new ManualClock(), root, files: plainFileAccess });
		const entries = operations.readEntries(sql, { sessionId, after: 0, limit: 100 });
		return entries.flatMap(({ kind, runId, text }) => (kind === "notice" && runId === id ? [text] : []));
	}
	return { sql, root, sessionId, begin, write, goOn };
}

describe("calls that were cut off", () => {
	it("are told by name and path with what became of them, to the run that goes on and to no later one", async () => {
		const { root, begin, write, goOn, sql } = aCutRun();
		write("c1", "old.txt", "seven", "eight");
		write("c2", "done.txt", null, "nine");
		writeFileSync(path.join(root, "done.txt"), "nine");
		write("c3", "other.txt", "ten", "eleven");
		writeFileSync(path.join(root, "other.txt"), "somebody's");
		begin("c4", "shell", "run", "npm test\u202E");
		const [text = "", ...more] = await goOn("run_b");
		expect(more).toEqual([]);
		expect(text.split("\n").slice(1)).toEqual([
			"- write_file old.txt: not done. The file is as it was before.",
			"- write_file done.txt: done. The file has the content that was to be written.",
			expect.stringMatching(/^- write_file other\.txt: unknown\. .* somebody else has changed it since\./u),
			expect.stringMatching(/^- shell npm test⟨U\+202E⟩: unknown\. It was begun, and nobody knows how far it came\./u),
		]);
		end(sql, "run_b");
		expect(await goOn("run_c")).toEqual([]);
	});

	it("are not told of when their result is in the transcript", async () => {
		const { write, goOn, sql, sessionId } = aCutRun();
		write("c1", "old.txt", "seven", "eight");
		const result = { turn: 1, kind: "tool_result", toolName: "write_file", toolCallId: "c1" } as const;
		const entries = [{ ...result, text: "Replaced old.txt.", isError: false, at: 5 }];
		operations.appendToLiveRun(sql, { sessionId, runId: "run_a", entries });
		expect(await goOn("run_b")).toEqual([]);
	});
});
