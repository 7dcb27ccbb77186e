import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { KeySheet } from "./keySheet.tsx";
import type { PanelModel } from "./panelModel.ts";
import { plainText } from "./plainText.ts";
import { EmptyRuns } from "./runs/emptyRuns.tsx";
import { focusCurrentRow } from "./runs/currentRow.ts";
import { FilterBar } from "./runs/filterBar.tsx";
import { RunGrid } from "./runs/runGrid.tsx";

/** The frame: tabs, the open tab, the keys that work here, and the one region that speaks. */
export function Panel({ panel }: { readonly panel: PanelModel }) {
	const { store } = panel;
	const filterInput = useRef<HTMLInputElement>(null);
	const grid = useRef<HTMLDivElement>(null);
	const isKeySheetOpen = useSignal(false);
	const showKeys = () => (isKeySheetOpen.value = true);
	const hasRuns = store.total.value > 0;
	return (
		<>
			<header class="tabs">
				<div role="tablist" aria-label="Ops panel">
					<button type="button" role="tab" id="runsTab" aria-selected="true" aria-controls="runs">
						<Icon name="history" />
						Runs
					</button>
				</div>
				{hasRuns && store.notice.value === null && (
					<button
						type="button"
						class="iconButton"
						title="Spawn Subagent…"
						aria-label="Spawn Subagent…"
						onClick={() => panel.actions.spawn()}
					>
						<Icon name="add" />
					</button>
				)}
			</header>
			<main>
				<div role="tabpanel" id="runs" aria-labelledby="runsTab">
					{hasRuns && store.notice.value !== null && (
						<p class="notice">
							<Icon name="info" />
							{plainText(store.notice.value, 1000)}
						</p>
					)}
					{hasRuns && (
						<FilterBar
							panel={panel}
							input={filterInput}
							onLeave={() => grid.current && focusCurrentRow(grid.current)}
						/>
					)}
					{store.listed.value.length > 0 ? (
						<RunGrid panel={panel} element={grid} onFilter={() => filterInput.current?.focus()} onKeys={showKeys} />
					) : (
						<EmptyRuns panel={panel} />
					)}
				</div>
			</main>
			{hasRuns && <KeyHints onKeys={showKeys} />}
			<div role="status" class="unseen">
				<span key={panel.events.sentence.value.turn}>{panel.events.sentence.value.text}</span>
			</div>
			{isKeySheetOpen.value && <KeySheet onClose={() => (isKeySheetOpen.value = false)} />}
		</>
	);
}

function KeyHints({ onKeys }: { readonly onKeys: () => void }) {
	const hints = [
		["↑↓", "move"],
		["Enter", "transcript"],
		["s", "stop"],
		["/", "filter"],
	];
	return (
		<footer class="keyHints">
			<div>
				{hints.map(([key, effect]) => (
					<span key={key}>
						<kbd>{key}</kbd> {effect}
					</span>
				))}
			</div>
			<button type="button" onClick={onKeys}>
				<kbd>?</kbd> all keys
			</button>
		</footer>
	);
}
