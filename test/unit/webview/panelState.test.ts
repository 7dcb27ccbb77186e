import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePanelState } from "../../../webview/panelState.ts";

const fresh = { tab: "runs", filter: { text: "", group: "all" }, selectedRunId: null };
const kept = { tab: "runs", filter: { text: "cart", group: "failed" }, selectedRunId: "run_00000001" };

describe("parsePanelState", () => {
	it("takes up what an earlier page kept", () => {
		expect(parsePanelState(kept)).toEqual(kept);
	});

	it.each([
		["nothing", undefined],
		["null", null],
		["text", "runs"],
		["another tab", { ...kept, tab: "chat" }],
		["an unknown group", { ...kept, filter: { text: "", group: "__proto__" } }],
		["a filter that is no text", { ...kept, filter: { text: ["a"], group: "all" } }],
		["a filter of 5 MB", { ...kept, filter: { text: "x".repeat(5_000_000), group: "all" } }],
		["no filter", { tab: "runs", selectedRunId: null }],
		["a run id that is no text", { ...kept, selectedRunId: { toString: (): string => "run_1" } }],
	])("starts afresh from %s", (_, raw) => {
		expect(parsePanelState(raw)).toEqual(fresh);
	});

	it("never lets through more than it knows, and never throws", () => {
		fc.assert(
			fc.property(fc.anything(), (raw) => {
				expect(Object.keys(parsePanelState(raw)).toSorted()).toEqual(["filter", "selectedRunId", "tab"]);
			}),
		);
		expect(parsePanelState({ ...kept, html: "<b>" })).toEqual(kept);
	});
});
