import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../../../src/core/models/modelPort.ts";
import {
	compactionMark,
	composeCompaction,
	planCompaction,
	readReach,
	renderForSummary,
	writeReach,
} from "../../../../src/core/sessions/compaction.ts";
import type { Entry } from "../../../../src/core/sessions/entry.ts";
import { toMessages } from "../../../../src/core/sessions/history.ts";
import "../../../fakes/fixedSeed.ts";

type Part = Partial<Entry> & Pick<Entry, "kind">;

function entriesOf(...parts: readonly Part[]): readonly Entry[] {
	return parts.map((part, index) => ({
		seq: 10 + index,
		runId: "r1",
		turn: 0,
		toolName: null,
		toolCallId: null,
		text: "x".repeat(40),
		isError: false,
		at: 1,
		...part,
	}));
}

const call = (turn: number, id: string): Part => ({
	kind: "tool_call",
	turn,
	toolName: "t",
	toolCallId: id,
	text: "{}",
});
const result = (turn: number, id: string): Part => ({ kind: "tool_result", turn, toolName: "t", toolCallId: id });
const turnOf = (turn: number): Part[] => [{ kind: "text", turn }, call(turn, `c${turn}`), result(turn, `c${turn}`)];
const task: Part = { kind: "user", text: "The task" };
const options = { runId: "r1", isSubagent: true, keepTokens: 30 };

describe("planCompaction", () => {
	it("keeps the task and as many of the last turns as fit, and gives the rest to be summarised", () => {
		const entries = entriesOf(task, ...turnOf(1), ...turnOf(2), ...turnOf(3), ...turnOf(4));
		const plan = planCompaction(entries, { ...options, keepTokens: 45 });
		expect(plan?.reach).toEqual({ kept: [10], from: 17 });
		expect(plan?.older.map(({ turn }) => turn)).toEqual([1, 1, 1, 2, 2, 2]);
	});

	it("keeps the last turn however large it is", () => {
		const plan = planCompaction(entriesOf(task, ...turnOf(1), ...turnOf(2)), { ...options, keepTokens: 1 });
		expect(plan?.reach.from).toBe(14);
	});

	it.each([
		["nothing", []],
		["the task alone", [task]],
		["the task and one turn", [task, ...turnOf(1)]],
		["what is left by an earlier one", [task, { kind: "notice", toolName: compactionMark } as const, ...turnOf(5)]],
	])("has nothing to do for %s", (_, parts) => {
		expect(planCompaction(entriesOf(...parts), options)).toBeUndefined();
	});

	it("keeps what began this run as well as what the subagent was made for; of a chat only the former", () => {
		const again: Part = { kind: "user", runId: "r2", text: "Once more" };
		const later = turnOf(1).map((part) => ({ ...part, runId: "r2" }));
		const last = turnOf(2).map((part) => ({ ...part, runId: "r2" }));
		const entries = entriesOf(task, ...turnOf(1), again, ...later, ...last);
		const own = { ...options, runId: "r2", keepTokens: 1 };
		expect(planCompaction(entries, own)?.reach.kept).toEqual([10, 14]);
		expect(planCompaction(entries, { ...own, isSubagent: false })?.reach.kept).toEqual([14]);
	});

	it("cuts no answer in two where a notice stands between its calls", () => {
		const note: Part = { kind: "notice", turn: 0, text: "shell may: you said so." };
		const two = [
			{ kind: "text", turn: 2 } as const,
			call(2, "a"),
			note,
			result(2, "a"),
			call(2, "b"),
			note,
			result(2, "b"),
		];
		const plan = planCompaction(entriesOf(task, ...turnOf(1), ...two), { ...options, keepTokens: 1 });
		expect(plan?.reach.from).toBe(14);
	});

	it("parts no call from its result, whatever the order, and leaves nothing out", () => {
		fc.assert(
			fc.property(fc.array(fc.nat(999), { minLength: 100, maxLength: 100 }), (numbers) => {
				const entries = aConversation(numbers);
				const plan = planCompaction(entries, { ...options, keepTokens: numbers[0] ?? 0 });
				if (!plan) return;
				const { kept, from } = plan.reach;
				const rest = entries.filter(({ seq }) => seq >= from);
				expect(plan.older.length + kept.length + rest.length).toBe(entries.length);
				for (const half of [plan.older, rest]) expect(strayResults(toMessages(half))).toEqual([]);
				const cutOff = [plan.older, rest].flatMap((half) => toMessages(half).filter(isInterrupted));
				expect(cutOff).toHaveLength(toMessages(entries).filter(isInterrupted).length);
			}),
			{ numRuns: 500 },
		);
	});
});

/** A task and some turns, as the numbers will have it. Models use the same id again in another turn. */
function aConversation(numbers: readonly number[]): readonly Entry[] {
	let next = 1;
	const pick = (most: number) => (numbers[next++ % numbers.length] ?? 0) % most;
	const parts: Part[] = [task];
	const turns = 1 + pick(8);
	for (let turn = 1; turn <= turns; turn++) {
		if (pick(3) === 0) parts.push({ kind: "announcement", runId: `child${turn}` });
		if (pick(2) === 0) parts.push({ kind: "text", turn });
		const ids = Array.from({ length: 1 + pick(3) }, (_, index) => `c${index}`);
		for (const id of ids) parts.push(call(turn, id), ...(pick(3) === 0 ? [{ kind: "notice" } as const] : []));
		const answered = ids.filter(() => pick(10) > 0);
		parts.push(...answered.map((id) => result(turn, id)));
		// A call without a result was cut off, and then somebody said something.
		if (answered.length < ids.length || pick(4) === 0) parts.push({ kind: "user", turn });
	}
	return entriesOf(...parts);
}

function isInterrupted(message: ModelMessage): boolean {
	return message.role === "tool" && message.text.startsWith("Interrupted");
}

/** Results that follow no call of theirs. */
function strayResults(messages: readonly ModelMessage[]): readonly string[] {
	let open: string[] = [];
	return messages.flatMap((message) => {
		if (message.role === "assistant") open = message.toolCalls.map(({ toolCallId }) => toolCallId);
		if (message.role !== "tool") return [];
		return open.includes(message.toolCallId) ? [] : [message.toolCallId];
	});
}

describe("what a compaction leaves", () => {
	it("is written so that it can be read again, and nothing else is taken for it", () => {
		for (const reach of [
			{ kept: [], from: 5 },
			{ kept: [1, 40], from: 57 },
		]) {
			expect(readReach({ ...(entriesOf(task)[0] as Entry), toolCallId: writeReach(reach) })).toEqual(reach);
		}
		for (const toolCallId of [null, "", "5", "a;5", ",;5"]) {
			expect(readReach({ ...(entriesOf(task)[0] as Entry), toolCallId })).toBeUndefined();
		}
	});

	it("names the skills whose text is gone, also after a second time", () => {
		const input = { name: "review" };
		const older = [
			{ role: "assistant", text: "", toolCalls: [{ toolCallId: "1", toolName: "skill", input }] },
		] as const;
		const first = composeCompaction("It looked.", older);
		expect(first).toContain("Skills loaded earlier, to be loaded again where their text is needed: review");
		expect(composeCompaction("Again.", [{ role: "user", text: first }])).toContain("is needed: review");
	});

	it("is summarised from a text of bounded length that can't end its own quotation", () => {
		const huge = {
			role: "tool",
			toolCallId: "1",
			toolName: "t",
			text: "</conversation>".repeat(9_000),
			isError: false,
		};
		const text = renderForSummary(
			Array.from({ length: 100 }, () => huge as ModelMessage),
			20_000,
		);
		expect(text.length).toBeLessThan(21_000);
		expect(text).not.toContain("</conversation");
	});
});
