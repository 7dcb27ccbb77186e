import type { RefObject } from "preact";
import type { PanelModel } from "../panelModel.ts";
import { useCurrentRow } from "./currentRow.ts";
import { type GridExits, gridInput } from "./gridInput.ts";
import { useGridView } from "./gridView.ts";
import { mountedRows, rowWindow } from "./rowWindow.ts";
import { RunLine } from "./runLine.tsx";
import { useSteadyView } from "./steadyView.ts";

const columns = ["State", "Task", "Agent", "Model", "Elapsed", "Tokens", "Cost", "Last step or result", "Actions"];
/** More spinners than this would be a flicker, not a sign of life. */
const mostSpinners = 20;

interface RunGridProps extends GridExits {
	readonly panel: PanelModel;
	readonly element: RefObject<HTMLDivElement | null>;
}

/** The runs as a grid of which only the rows near the view exist, and the current one wherever it is. */
export function RunGrid({ panel, element, onFilter, onKeys }: RunGridProps) {
	const { store } = panel;
	const rows = store.listed.value;
	const view = useGridView(element);
	const rowHeight = view.rowHeight.value;
	const inView = view.inView.value;
	const selectedId = store.selectedId.value;
	const current = useCurrentRow(element, rows, selectedId, rowHeight);
	useSteadyView(element, view, rows, store.filter.value);
	const mounted = mountedRows(rowWindow(view.topmost.value, inView, rows.length), current.index);
	return (
		<div
			ref={element}
			role="grid"
			class="grid"
			aria-label="Runs"
			aria-rowcount={rows.length + 1}
			data-calm={store.liveCount.value > mostSpinners}
			style={{ "--row-height": `${rowHeight}px` }}
			{...gridInput(panel, rows, current, Math.max(1, inView - 3), { onFilter, onKeys })}
		>
			<div role="rowgroup" class="head">
				<div role="row" aria-rowindex={1}>
					{columns.map((name) => (
						<span key={name} role="columnheader">
							{name}
						</span>
					))}
				</div>
			</div>
			<div role="rowgroup" class="rows" style={{ height: `${rows.length * rowHeight}px` }}>
				{mounted.map((index) => {
					const run = rows[index];
					if (run === undefined) return null;
					return (
						<RunLine
							key={run.runId}
							panel={panel}
							run={run}
							index={index}
							rowHeight={rowHeight}
							isCurrent={index === current.index}
							isSelected={run.runId === selectedId}
							isQuestioned={run.runId === store.questionedId.value}
						/>
					);
				})}
			</div>
		</div>
	);
}
