import { describe, expect, it } from "vitest";
import { createPanelReceiver } from "../../../src/shell/panel/receivePanelMessage.ts";
import { RunsFeed } from "../../../src/shell/panel/runsFeed.ts";
import type { RunRow } from "../../../src/protocol/panel.ts";

function aReceiver() {
	const calls: string[] = [];
	const warnings: string[] = [];
	let at = 0;
	const receive = createPanelReceiver(
		{
			sendSnapshot: () => calls.push("snapshot"),
			stopRun: (runId) => calls.push(`stop ${runId}`),
			openTranscript: (runId) => calls.push(`open ${runId}`),
			spawn: () => calls.push("spawn"),
		},
		() => at,
		(text) => warnings.push(text),
	);
	return { receive, calls, warnings, passTime: (ms: number) => (at += ms) };
}

describe("what the panel may say", () => {
	it("is turned into one call each", () => {
		const { receive, calls } = aReceiver();
		receive({ v: 1, type: "ready" });
		receive({ v: 1, type: "run.stop", runId: "run_0123abcd" });
		receive({ v: 1, type: "run.openTranscript", runId: "run_0123abcd" });
		receive({ v: 1, type: "spawn" });
		expect(calls).toEqual(["snapshot", "stop run_0123abcd", "open run_0123abcd", "spawn"]);
	});

	it.each([
		["null", null],
		["an array", [1]],
		["a text", "ready"],
		["a Map", new Map([["type", "ready"]])],
		["an unknown type", { v: 1, type: "approve" }],
		["another version", { v: 2, type: "ready" }],
		["no version", { type: "ready" }],
		["extra fields", { v: 1, type: "ready", approved: true }],
		["a run id that is a path", { v: 1, type: "run.stop", runId: "../../x" }],
		["a run id that is a prototype", { v: 1, type: "run.stop", runId: "__proto__" }],
		["a run id with an emoji", { v: 1, type: "run.stop", runId: "run_😀😀😀😀😀😀😀😀" }],
		["a megabyte", { v: 1, type: "run.stop", runId: "x".repeat(1_000_000) }],
	])("is dropped and said when it is %s", (_, message) => {
		const { receive, calls, warnings } = aReceiver();
		receive(message);
		expect(calls).toEqual([]);
		expect(warnings).toHaveLength(1);
	});

	it("is dropped past fifty messages a second, with one line in the log, and heard again in the next", () => {
		const { receive, calls, warnings, passTime } = aReceiver();
		for (let count = 0; count < 10_000; count++) receive({ v: 1, type: "ready" });
		expect(calls).toHaveLength(50);
		expect(warnings).toHaveLength(1);
		passTime(1_000);
		receive({ v: 1, type: "ready" });
		expect(calls).toHaveLength(51);
	});
});

describe("RunsFeed", () => {
	const row = (runId: string, activity: string | null = null) => ({ runId, activity }) as RunRow;

	it("sends everything once, then only what differs, with a revision that grows by one", () => {
		const feed = new RunsFeed();
		expect(feed.snapshot([row("a"), row("b")], null, 5)).toMatchObject({ type: "snapshot", revision: 1, now: 5 });
		expect(feed.patch([row("a"), row("b")])).toBeUndefined();
		expect(feed.patch([row("b", "grep"), row("c")])).toEqual({
			type: "runs",
			revision: 2,
			upsert: [row("b", "grep"), row("c")],
			remove: ["a"],
		});
	});
});
