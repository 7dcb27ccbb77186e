import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { RunRow } from "../../src/protocol/panel.ts";
import { scrollToReveal } from "./rowWindow.ts";

export interface CurrentRow {
	/** Where Tab enters the list: the selected row, else the first. */
	readonly index: number;
	/** Brings the row that is current after the next render into view, with the focus. */
	bringFocus(): void;
}

/**
 * Finds the row the keyboard acts on, and keeps the focus in the list: when the row or the button that had it goes
 * away, it moves to the row now in that place instead of falling to the page.
 */
export function useCurrentRow(
	element: RefObject<HTMLElement | null>,
	rows: readonly RunRow[],
	selectedId: string | null,
	rowHeight: number,
): CurrentRow {
	const hasFocus = element.current?.contains(document.activeElement) ?? false;
	const selected = rows.findIndex((run) => run.runId === selectedId);
	const previous = useRef(0);
	const fallback = hasFocus ? Math.min(previous.current, rows.length - 1) : 0;
	const index = selected >= 0 ? selected : fallback;
	previous.current = index;
	const wanted = useRef<"nothing" | "view" | "focus">(isFocusFree() ? "focus" : "view");
	useLayoutEffect(() => {
		const grid = element.current;
		if (hasFocus && isFocusFree()) wanted.current = "focus";
		if (grid === null || wanted.current === "nothing") return;
		grid.scrollTop = scrollToReveal(index, rowHeight, grid.scrollTop, grid.clientHeight - headHeight(grid));
		if (wanted.current === "focus") focusCurrentRow(grid);
		wanted.current = "nothing";
	});
	return { index, bringFocus: () => (wanted.current = "focus") };
}

export function focusCurrentRow(grid: HTMLElement): void {
	grid.querySelector<HTMLElement>(".run[tabindex='0']")?.focus({ preventScroll: true });
}

/** The page has the focus, and nothing on it does. Never true while the user works elsewhere in the editor. */
function isFocusFree(): boolean {
	return document.hasFocus() && document.activeElement === document.body;
}

function headHeight(grid: HTMLElement): number {
	return grid.querySelector<HTMLElement>(".rows")?.offsetTop ?? 0;
}
