import { describe, expect, it } from "vitest";
import { parsePanelState } from "../../../webview/panelState.ts";
import { RunsStore } from "../../../webview/runsStore.ts";
import { aPatch, anEndedRun, aRun, aSnapshot, runId } from "./aRun.ts";

const aStore = (...messages: Parameters<RunsStore["apply"]>[0][]) => {
	const store = new RunsStore(parsePanelState(null));
	for (const message of messages) store.apply(message);
	return store;
};

const titles = (store: RunsStore) => store.listed.value.map((run) => run.title);

describe("RunsStore", () => {
	it("replaces everything with a snapshot", () => {
		const store = aStore(
			aSnapshot([aRun({ title: "Old" })], { notice: "Not trusted" }),
			aSnapshot([aRun({ runId: runId(2), title: "New" })], { revision: 2 }),
		);
		expect(titles(store)).toEqual(["New"]);
		expect(store.notice.value).toBeNull();
	});

	it("adds, changes and removes runs with the next patch, and leaves the others as they are", () => {
		const store = aStore(aSnapshot([1, 2, 3].map((number) => aRun({ runId: runId(number), title: `Task ${number}` }))));
		const untouched = store.listed.value[0];
		const patch = aPatch(
			2,
			[aRun({ runId: runId(2), title: "Changed" }), aRun({ runId: runId(4), title: "Added" })],
			[runId(3)],
		);
		expect(store.apply(patch)).toEqual({ kind: "applied", news: [] });
		expect(titles(store)).toEqual(["Task 1", "Changed", "Added"]);
		expect(store.listed.value[0]).toBe(untouched);
	});

	it("drops what arrives late", () => {
		const store = aStore(aSnapshot([aRun({ title: "Now" })], { revision: 5 }));
		expect(store.apply(aPatch(5, [aRun({ title: "Then" })]))).toEqual({ kind: "late" });
		expect(store.apply(aSnapshot([], { revision: 4 }))).toEqual({ kind: "late" });
		expect(titles(store)).toEqual(["Now"]);
	});

	it("drops patches before the first snapshot", () => {
		const store = aStore();
		expect(store.apply(aPatch(1, [aRun()]))).toEqual({ kind: "late" });
		expect(store.total.value).toBe(0);
	});

	it("reports a gap once and waits for a snapshot, of whatever revision", () => {
		const store = aStore(aSnapshot([aRun({ title: "Before" })], { revision: 5 }));
		expect(store.apply(aPatch(7, [aRun({ title: "Seven" })]))).toEqual({ kind: "gap" });
		expect(store.apply(aPatch(8, [aRun({ title: "Eight" })]))).toEqual({ kind: "late" });
		expect(titles(store)).toEqual(["Before"]);
		store.apply(aSnapshot([aRun({ title: "After" })], { revision: 1 }));
		store.apply(aPatch(2, [aRun({ title: "Next" })]));
		expect(titles(store)).toEqual(["Next"]);
	});

	it("tells which runs ended or began to wait for the user, and nothing else", () => {
		const store = aStore(aSnapshot([1, 2, 3, 4].map((number) => aRun({ runId: runId(number) }))));
		const applied = store.apply(
			aPatch(2, [
				anEndedRun({ runId: runId(1) }),
				aRun({ runId: runId(2), state: "waiting_approval" }),
				aRun({ runId: runId(3), state: "waiting_children" }),
				aRun({ runId: runId(4), activity: "exec npm test" }),
				anEndedRun({ runId: runId(5), state: "error" }),
			]),
		);
		expect(applied.kind === "applied" && applied.news.map((run) => run.runId)).toEqual([runId(1), runId(2), runId(5)]);
		const repeated = store.apply(aPatch(3, [anEndedRun({ runId: runId(1), result: "More" })]));
		expect(repeated).toEqual({ kind: "applied", news: [] });
	});

	it("counts each group among the runs that match the text", () => {
		const store = aStore(
			aSnapshot([
				aRun({ runId: runId(1), title: "Fix parser" }),
				anEndedRun({ runId: runId(2), title: "Fix lexer" }),
				anEndedRun({ runId: runId(3), title: "Fix docs", state: "timeout" }),
				anEndedRun({ runId: runId(4), title: "Other", state: "lost" }),
			]),
		);
		store.filter.value = { text: "fix", group: "failed" };
		expect(store.counts.value.map(({ count }) => count)).toEqual([3, 1, 1, 1]);
		expect(titles(store)).toEqual(["Fix docs"]);
		expect(store.total.value).toBe(4);
	});

	it("asks to stop a live run only, and not again once it was told to", () => {
		const store = aStore(aSnapshot([aRun({ runId: runId(1) }), anEndedRun({ runId: runId(2) })]));
		store.askToStop(runId(2));
		store.askToStop(runId(9));
		expect(store.questionedId.value).toBeNull();
		store.askToStop(runId(1));
		expect(store.questionedId.value).toBe(runId(1));
		expect(store.selectedId.value).toBe(runId(1));
		store.stopAnswered(runId(1));
		store.askToStop(runId(1));
		expect(store.questionedId.value).toBeNull();
		expect([...store.stoppingIds.value]).toEqual([runId(1)]);
	});

	it("forgets the question and the stopping when the run ends", () => {
		const runs = [aRun({ runId: runId(1) }), aRun({ runId: runId(2) })];
		const store = aStore(aSnapshot(runs));
		store.askToStop(runId(1));
		store.stopAnswered(runId(1));
		store.askToStop(runId(2));
		store.apply(aPatch(2, [anEndedRun({ runId: runId(1), state: "canceled" })], [runId(2)]));
		expect(store.stoppingIds.value.size).toBe(0);
		expect(store.questionedId.value).toBeNull();
	});

	it("lets a stop be asked again after a snapshot that still has the run alive", () => {
		const store = aStore(aSnapshot([aRun()]));
		store.stopAnswered(runId(1));
		store.apply(aSnapshot([aRun()], { revision: 2 }));
		store.askToStop(runId(1));
		expect(store.questionedId.value).toBe(runId(1));
	});
});
