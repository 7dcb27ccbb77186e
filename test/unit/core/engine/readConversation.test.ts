import { describe, expect, it } from "vitest";
import { readConversation } from "../../../../src/core/engine/readConversation.ts";
import { compactionMark } from "../../../../src/core/sessions/compaction.ts";
import type { NewEntry } from "../../../../src/core/sessions/entry.ts";
import type { Database } from "../../../../src/core/store/database.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { accept, aStore } from "../../../fakes/aStore.ts";

/** A session of a task and these entries, in a real store. */
function aSessionOf(entries: readonly Partial<NewEntry>[]) {
	const sql = aStore();
	const { id: runId, sessionId } = accept(sql, "run_1");
	const plain = { turn: 1, kind: "text", toolName: null, toolCallId: null, text: "", isError: false, at: 1 } as const;
	operations.appendToLiveRun(sql, { sessionId, runId, entries: entries.map((entry) => ({ ...plain, ...entry })) });
	const [task] = operations.readEntries(sql, { sessionId, after: 0, limit: 1 });
	const call = (name: keyof typeof operations, input: never) => Promise.resolve(operations[name](sql, input));
	const read = async () => {
		const conversation = await readConversation({ call } as unknown as Pick<Database, "call">, sessionId);
		return conversation.map(({ text }) => text);
	};
	return { read, taskSeq: task?.seq ?? 0 };
}

const texts = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => ({ text: `text ${from + index}` }));
const compaction = (toolCallId: string) =>
	({ kind: "notice", toolName: compactionMark, toolCallId, text: "Summary." }) as const;

describe("readConversation", () => {
	it("reads a session whole while it is short", async () => {
		expect(await aSessionOf(texts(0, 3)).read()).toEqual(["Look", "text 0", "text 1", "text 2"]);
	});

	it(
		"reads the task, the summary, and what the summary does not stand for, however far that is",
		{ timeout: 20_000 },
		async () => {
			const { taskSeq } = aSessionOf([]);
			const reach = `${taskSeq};${taskSeq + 101}`;
			const { read } = aSessionOf([...texts(0, 2_600), compaction(reach), ...texts(2_600, 4_700)]);
			const conversation = await read();
			expect(conversation.slice(0, 3)).toEqual(["Look", "Summary.", "text 100"]);
			expect(conversation).toHaveLength(2 + 4_600);
			expect(conversation.at(-1)).toBe("text 4699");
		},
	);

	it("reads the newest summary only", async () => {
		const { taskSeq } = aSessionOf([]);
		const older = { ...compaction(`${taskSeq};${taskSeq + 1}`), text: "Old." };
		const { read } = aSessionOf([...texts(0, 4), older, ...texts(4, 6), compaction(`;${taskSeq + 4}`)]);
		expect(await read()).toEqual(["Summary.", "text 3", "text 4", "text 5"]);
	});

	it("begins where somebody said something in a session that is too long to read", { timeout: 20_000 }, async () => {
		const said = { kind: "user", text: "And now?" } as const;
		const { read } = aSessionOf([...texts(0, 10_500), said, ...texts(10_500, 10_502)]);
		expect(await read()).toEqual(["And now?", "text 10500", "text 10501"]);
	});
});
