import type { RunView } from "../../core/engine/runRegistry.ts";
import { describeBudget, spentBy } from "../../core/runs/budget.ts";
import { titleOf } from "../../core/runs/run.ts";
import { isTerminal } from "../../core/runs/runState.ts";
import type { RunRow } from "../../protocol/panel.ts";
import { modelLabel } from "../modelLabel.ts";

/** A run as the panel gets it: no more than a row shows. */
export function toRunRow(run: RunView, folder: string | null): RunRow {
	const { inputTokens, outputTokens, usd, estimated } = run.usage;
	return {
		runId: run.id,
		title: titleOf(run),
		agent: run.agentId,
		model: modelLabel(run.model),
		lane: run.lane,
		state: run.state,
		queuePosition: run.queuePosition,
		queuedAt: run.queuedAt,
		startedAt: run.startedAt,
		endedAt: run.endedAt,
		activity: run.activity,
		inputTokens,
		outputTokens,
		usd,
		isEstimate: estimated,
		budget: run.request.budget && describeBudget(run.request.budget, spentBy(run.usage, run.work)),
		result: isTerminal(run.state) ? (run.error ?? run.summary) : null,
		folder,
	};
}
