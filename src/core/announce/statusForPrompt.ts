import { formatDuration } from "../base/format.ts";
import type { Plan } from "../runs/plan.ts";
import { titleOf, type Run } from "../runs/run.ts";
import type { TodoItem } from "../runs/todoItem.ts";
import { isTerminal } from "../runs/runState.ts";

const shownEnded = 5;

/**
 * How a session's children are, for the model that spawned them: a marked block of the last user message, outside of the
 * part of the prompt that providers cache. Null when there are none.
 */
export function statusForPrompt(
	children: readonly Run[],
	retained: number,
	at: number,
	{ plans = [], todos = [] }: { readonly plans?: readonly Plan[]; readonly todos?: readonly TodoItem[] } = {},
): string | null {
	if (children.length === 0) return null;
	const live = children.filter(({ state }) => !isTerminal(state));
	const ended = children.filter(({ state }) => isTerminal(state)).slice(-shownEnded);
	return [
		`<subagents slots="${children.length}/${retained}">`,
		...live.map((run) => `- ${describe(run)}${labelOf(run, plans)}, ${stateOf(run, at)}${stepOf(run, todos)}`),
		...ended.map(
			(run) =>
				`- ${describe(run)}${labelOf(run, plans)}, ended ${run.state}${stepOf(run, todos)}, session ${run.sessionKey}`,
		),
		"</subagents>",
	].join("\n");
}

/** The step of the list that it was spawned for, as it stands now. */
function stepOf({ request }: Run, todos: readonly TodoItem[]): string {
	const step = todos.find(({ id }) => id === request.taskId);
	return step ? `, todo ${step.id.replaceAll(/[<>]/gu, "‹")} ${step.status}` : "";
}

function describe(run: Run): string {
	return `${run.id} ${run.agentId}: "${titleOf(run).replaceAll(/[<>]/gu, "‹").slice(0, 50)}"`;
}

/** What it is with the plan: being made, waiting for a person, or approved. */
function labelOf(run: Run, plans: readonly Plan[]): string {
	if (!run.request.planMode) return "";
	const plan = plans.find(({ runId }) => runId === run.id);
	if (plan?.state === "awaiting") return " [PLAN:AWAITING APPROVAL]";
	if (plan?.state === "approved") return " [PLAN:APPROVED]";
	return " [PLAN]";
}

/** What only a person can end is no reason to wait. */
function stateOf(run: Run, at: number): string {
	return run.hold === null ? `${run.state}${since(run, at)}` : `${run.hold} until the user lets it go on`;
}

function since(run: Run, at: number): string {
	return run.startedAt === null ? "" : ` for ${formatDuration(at - run.startedAt)}`;
}
