import type { RunRow } from "../../src/protocol/panel.ts";
import type { PanelModel } from "../panelModel.ts";
import type { CurrentRow } from "./currentRow.ts";
import { rowAfterKey } from "./rowAfterKey.ts";

export interface GridExits {
	readonly onFilter: () => void;
	readonly onKeys: () => void;
}

/** What keys, focus and double clicks on the grid do. No letter stops anything by itself: `s` only asks. */
export function gridInput(
	panel: PanelModel,
	rows: readonly RunRow[],
	current: CurrentRow,
	pageSize: number,
	exits: GridExits,
) {
	const { store, actions } = panel;
	const moveTo = (index: number) => {
		store.keepAnswered();
		store.selectedId.value = rows[index]?.runId ?? null;
		current.bringFocus();
	};
	const actOn = (run: RunRow, event: KeyboardEvent): boolean => {
		switch (event.key) {
			case "Enter":
				// On a button Enter presses the button. A key still held down from there must not open what it left behind.
				if (!isRow(event.target) || event.repeat) return false;
				actions.openTranscript(run.runId);
				return true;
			case "s":
				store.askToStop(run.runId);
				return true;
			case "/":
				exits.onFilter();
				return true;
			case "?":
				exits.onKeys();
				return true;
			case "Escape":
				store.keepAnswered();
				return true;
			default:
				return false;
		}
	};
	return {
		onKeyDown(event: KeyboardEvent) {
			const run = rows[current.index];
			if (run === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
			const target = rowAfterKey(event.key, current.index, rows.length, pageSize);
			if (target !== undefined) moveTo(target);
			else if (!actOn(run, event)) return;
			event.preventDefault();
		},
		onFocusIn(event: FocusEvent) {
			const runId = runIdAt(event.target);
			if (runId === undefined) return;
			store.selectedId.value = runId;
			if (store.questionedId.peek() !== runId) store.keepAnswered();
		},
		onDblClick(event: MouseEvent) {
			const runId = runIdAt(event.target);
			const isOnButton = event.target instanceof Element && event.target.closest("button") !== null;
			if (runId !== undefined && !isOnButton) actions.openTranscript(runId);
		},
	};
}

function isRow(target: EventTarget | null): boolean {
	return target instanceof Element && target.matches(".run");
}

function runIdAt(target: EventTarget | null): string | undefined {
	return target instanceof Element ? target.closest<HTMLElement>(".run")?.dataset.run : undefined;
}
