import type { RunRow } from "../../src/protocol/panel.ts";
import { Icon } from "../icon.tsx";
import type { PanelModel } from "../panelModel.ts";
import { plainText } from "../plainText.ts";
import { isLive, runStates } from "./runStates.ts";
import {
	costDetail,
	costText,
	elapsedText,
	lastText,
	stateText,
	timesText,
	tokensDetail,
	tokensText,
} from "./runText.ts";
import { StopQuestion } from "./stopQuestion.tsx";

/** What fits a cell on a wide screen, and what a tooltip may hold. */
const limits = { cell: 300, tooltip: 1000 } as const;

interface RunLineProps {
	readonly panel: PanelModel;
	readonly run: RunRow;
	readonly index: number;
	readonly rowHeight: number;
	/** Where Tab enters the list. */
	readonly isCurrent: boolean;
	readonly isSelected: boolean;
	readonly isQuestioned: boolean;
}

/** One run as a row of the grid. Reads what the host says; decides nothing. */
export function RunLine({ panel, run, index, rowHeight, isCurrent, isSelected, isQuestioned }: RunLineProps) {
	const isStopping = panel.store.stoppingIds.value.has(run.runId);
	const title = plainText(run.title, limits.cell);
	return (
		<div
			role="row"
			class="run"
			data-run={run.runId}
			data-state={run.state}
			aria-rowindex={index + 2}
			aria-selected={isSelected}
			aria-label={`${title}, ${stateText(run)}, agent ${plainText(run.agent, limits.cell)}`}
			tabIndex={isCurrent ? 0 : -1}
			style={{ top: `${index * rowHeight}px` }}
		>
			<span role="gridcell" class="state">
				<Icon name={runStates[run.state].icon} />
				<span class="word">{stateText(run)}</span>
			</span>
			<span role="gridcell" class="title" dir="auto" title={plainText(run.title, limits.tooltip)}>
				{title}
				{run.folder !== null && <span class="folder"> {plainText(run.folder, limits.cell)}</span>}
			</span>
			<Cell name="agent" text={run.agent} tooltip={`${run.agent} on ${run.model}`} />
			<ModelCell model={run.model} />
			<span role="gridcell" class="elapsed number" title={timesText(run)}>
				<Elapsed panel={panel} run={run} />
			</span>
			<span role="gridcell" class="tokens number" title={tokensDetail(run)}>
				{tokensText(run)}
			</span>
			<span role="gridcell" class="cost number" title={costDetail(run)}>
				{costText(run.usd, run.isEstimate)}
			</span>
			<Cell name="last" text={isStopping ? "Stopping…" : lastText(run)} />
			<span role="gridcell" class="actions">
				{isQuestioned ? (
					<StopQuestion panel={panel} runId={run.runId} />
				) : (
					<RowActions panel={panel} run={run} canStop={isLive(run) && !isStopping} tabIndex={isCurrent ? 0 : -1} />
				)}
			</span>
		</div>
	);
}

interface CellProps {
	readonly name: string;
	readonly text: string;
	readonly tooltip?: string;
}

function Cell({ name, text, tooltip = text }: CellProps) {
	return (
		<span role="gridcell" class={name} dir="auto" title={plainText(tooltip, limits.tooltip)}>
			{plainText(text, limits.cell)}
		</span>
	);
}

function ModelCell({ model }: { readonly model: string }) {
	if (model !== "Demo") return <Cell name="model" text={model} />;
	return (
		<span
			role="gridcell"
			class="model demo"
			title="A scripted model that ships with Muster: nothing leaves this machine"
		>
			<span class="tag">Demo</span>
		</span>
	);
}

/** Alone in its component, so that the clock touches one text node per live row and nothing else. */
function Elapsed({ panel, run }: { readonly panel: PanelModel; readonly run: RunRow }) {
	return <>{elapsedText(run, isLive(run) ? panel.clock.now.value : 0)}</>;
}

interface RowActionsProps {
	readonly panel: PanelModel;
	readonly run: RunRow;
	readonly canStop: boolean;
	readonly tabIndex: number;
}

function RowActions({ panel, run, canStop, tabIndex }: RowActionsProps) {
	return (
		<>
			<button
				type="button"
				class="iconButton"
				tabIndex={tabIndex}
				aria-label="Open Transcript"
				title="Open Transcript (Enter)"
				onClick={() => panel.actions.openTranscript(run.runId)}
			>
				<Icon name="output" />
			</button>
			{canStop && (
				<button
					type="button"
					class="iconButton"
					tabIndex={tabIndex}
					aria-label="Stop"
					title="Stop (s)"
					onClick={() => panel.store.askToStop(run.runId)}
				>
					<Icon name="debug-stop" />
				</button>
			)}
		</>
	);
}
