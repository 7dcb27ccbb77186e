import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mountedRows, rowShift, rowWindow, scrollToReveal } from "../../../../webview/runs/rowWindow.ts";

const anyView = { topmost: fc.nat(5000), inView: fc.integer({ min: 1, max: 200 }), rowCount: fc.nat(3000) };

describe("rowWindow", () => {
	it("holds every row that can be seen, stays within the list, and never grows with it", () => {
		fc.assert(
			fc.property(anyView.topmost, anyView.inView, anyView.rowCount, (topmost, inView, rowCount) => {
				const { first, end } = rowWindow(topmost, inView, rowCount);
				const top = Math.min(topmost, Math.max(0, rowCount - inView));
				expect(first).toBeGreaterThanOrEqual(0);
				expect(first).toBeLessThanOrEqual(top);
				expect(end).toBeGreaterThanOrEqual(Math.min(rowCount, top + inView));
				expect(end).toBeLessThanOrEqual(rowCount);
				expect(end - first).toBeLessThanOrEqual(inView + 16);
			}),
		);
	});

	it("still shows the end of a list that got shorter than the scroll position", () => {
		expect(rowWindow(900, 30, 40)).toEqual({ first: 2, end: 40 });
	});
});

describe("mountedRows", () => {
	it("is the window and the current row, once each, in order", () => {
		fc.assert(
			fc.property(
				anyView.topmost,
				anyView.inView,
				fc.integer({ min: 1, max: 3000 }),
				fc.nat(2999),
				(topmost, inView, rowCount, any) => {
					const current = any % rowCount;
					const window = rowWindow(topmost, inView, rowCount);
					const rows = mountedRows(window, current);
					expect(rows).toContain(current);
					expect(rows).toEqual([...new Set(rows)].toSorted((a, b) => a - b));
					expect(rows.filter((row) => row !== current).every((row) => row >= window.first && row < window.end)).toBe(
						true,
					);
					expect(rows.length).toBeGreaterThanOrEqual(window.end - window.first);
				},
			),
		);
	});
});

describe("scrollToReveal", () => {
	it("leaves the scroll alone when the row is whole in view, and moves it as little as possible otherwise", () => {
		expect(scrollToReveal(5, 22, 0, 220)).toBe(0);
		expect(scrollToReveal(10, 22, 0, 220)).toBe(22);
		expect(scrollToReveal(2, 22, 100, 220)).toBe(44);
	});

	it("always shows the row from its top", () => {
		fc.assert(
			fc.property(fc.nat(1000), fc.nat(20_000), fc.integer({ min: 22, max: 2000 }), (index, scrollTop, viewHeight) => {
				const after = scrollToReveal(index, 22, scrollTop, viewHeight);
				expect(after).toBeLessThanOrEqual(index * 22);
				expect(after + viewHeight).toBeGreaterThanOrEqual(index * 22 + 22);
			}),
		);
	});
});

describe("rowShift", () => {
	const indexes = (ids: readonly string[]) => new Map(ids.map((id, index) => [id, index]));

	it("is how far the rows in view moved when some came in or went above", () => {
		expect(rowShift(["c", "d"], 2, indexes(["x", "y", "a", "b", "c", "d"]))).toBe(2);
		expect(rowShift(["c", "d"], 2, indexes(["b", "c", "d"]))).toBe(-1);
	});

	it("does not follow the one run that jumps", () => {
		expect(rowShift(["a", "b", "c"], 5, indexes(["0", "1", "2", "3", "4", "b", "c", "z", "a"]))).toBe(-1);
	});

	it("is nothing when nothing in view is left", () => {
		expect(rowShift(["a", "b"], 0, indexes(["x"]))).toBe(0);
	});
});
