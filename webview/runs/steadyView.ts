import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { RunRow } from "../../src/protocol/panel.ts";
import type { GridView } from "./gridView.ts";
import { rowShift } from "./rowWindow.ts";
import type { RunFilter } from "./runFilter.ts";

/**
 * Keeps what the user reads where it is: rows that come, go or move above the view do not push it.
 * At the very top nothing is held, so that new runs come into sight there; a new filter starts at the top.
 */
export function useSteadyView(
	element: RefObject<HTMLElement | null>,
	view: GridView,
	rows: readonly RunRow[],
	filter: RunFilter,
): void {
	const rowHeight = view.rowHeight.value;
	const shown = useRef({ rows, filter, rowHeight });
	useLayoutEffect(() => {
		const before = shown.current;
		shown.current = { rows, filter, rowHeight };
		const grid = element.current;
		const topmost = view.topmost.peek();
		if (grid === null || topmost === 0) return;
		if (before.filter !== filter) grid.scrollTop = 0;
		else if (before.rowHeight !== rowHeight) grid.scrollTop = topmost * rowHeight;
		else if (before.rows !== rows) {
			const seen = before.rows.slice(topmost, topmost + view.inView.peek()).map((run) => run.runId);
			const indexAfter = new Map(rows.map((run, index) => [run.runId, index]));
			const shift = rowShift(seen, topmost, indexAfter);
			if (shift !== 0) grid.scrollTop += shift * rowHeight;
		}
	});
}
