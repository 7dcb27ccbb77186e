/** Rows kept ready above and below what is in view, so that a fast scroll meets no gap. */
const overscan = 8;

export interface RowWindow {
	readonly first: number;
	/** One past the last. */
	readonly end: number;
}

/** Which rows exist in the page when `inView` of them fit and `topmost` is the first in view. */
export function rowWindow(topmost: number, inView: number, rowCount: number): RowWindow {
	const lastTop = Math.max(0, rowCount - inView);
	const top = Math.min(topmost, lastTop);
	return { first: Math.max(0, top - overscan), end: Math.min(rowCount, top + inView + overscan) };
}

/** The indexes to draw, in order: the window, and the current row even when it is scrolled away. */
export function mountedRows(window: RowWindow, current: number): readonly number[] {
	const inside = Array.from({ length: window.end - window.first }, (_, offset) => window.first + offset);
	if (current < window.first) return [current, ...inside];
	return current >= window.end ? [...inside, current] : inside;
}

/** The smallest scroll that brings a row wholly into view; the given one when it already is. */
export function scrollToReveal(index: number, rowHeight: number, scrollTop: number, viewHeight: number): number {
	const top = index * rowHeight;
	return Math.min(top, Math.max(scrollTop, top + rowHeight - viewHeight));
}

/**
 * By how many rows the list moved under the reader: the median move of the rows in view, so that one run that
 * jumps (because it ended) does not carry the view along.
 */
export function rowShift(
	inView: readonly string[],
	firstIndex: number,
	indexAfter: ReadonlyMap<string, number>,
): number {
	const moves = inView
		.flatMap((id, offset) => {
			const index = indexAfter.get(id);
			return index === undefined ? [] : index - (firstIndex + offset);
		})
		.toSorted((a, b) => a - b);
	return moves[moves.length >> 1] ?? 0;
}
