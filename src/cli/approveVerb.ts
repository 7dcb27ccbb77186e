import { describeQuestion } from "../core/approvals/describeQuestion.ts";
import { showExactly } from "../core/base/showExactly.ts";
import type { Approval, ApprovalScope } from "../core/runs/approval.ts";
import { describeAnswer } from "../core/runs/describeAnswer.ts";
import { ProblemError } from "../core/base/errors.ts";
import type { PlanDesk } from "../core/engine/planDesk.ts";
import { describeScope, readPlanScope } from "../core/plans/planScope.ts";
import type { Plan } from "../core/runs/plan.ts";
import type { Run } from "../core/runs/run.ts";
import { waitForRuns } from "./waitForRuns.ts";
import type { Place } from "./findStore.ts";
import { withHost } from "./openHost.ts";
import { hasStore, readStore } from "./openStore.ts";
import { refuseInsideRun } from "./refuseInsideRun.ts";
import { readCall } from "./storeOptions.ts";
import { UsageError } from "./usage.ts";

/** `muster approve [<id>]`: allows what a run asks, wherever it executes; without an id, lists what waits. */
export async function approveVerb(args: readonly string[]): Promise<number> {
	const { place, isJson, values, words } = readCall(args, { options: { for: { type: "string" } }, moreWords: 1 });
	const [id] = words;
	const scope = readScope(values.for);
	if (id === undefined) return listWaiting(place, isJson);
	await refuseInsideRun("approve", place);
	if (id.startsWith("pln_")) return withPlan(place, id, isJson, (plans) => plans.approve(id, { by: "cli" }));
	return answer(place, id, isJson, { verdict: "allow", scope });
}

/** `muster reject <id> ["<reason>"]`: denies it; the subagent reads the reason. */
export async function rejectVerb(args: readonly string[]): Promise<number> {
	const { place, isJson, words } = readCall(args, { options: {}, words: ["id"], moreWords: 1 });
	const [id = "", reason] = words;
	await refuseInsideRun("reject", place);
	if (id.startsWith("pln_")) {
		return withPlan(place, id, isJson, async (plans) =>
			reason === undefined ? { plan: await plans.close(id, { by: "cli" }) } : plans.reject(id, reason, { by: "cli" }),
		);
	}
	return answer(place, id, isJson, { verdict: "deny", ...(reason !== undefined && { reason }) });
}

/** Decides, and waits for the run that follows. */
function withPlan(
	place: Place,
	id: string,
	isJson: boolean,
	decide: (plans: PlanDesk) => Promise<{ readonly plan: Plan; readonly run?: Run }>,
): Promise<number> {
	if (!hasStore(place)) {
		throw new ProblemError({ code: "plan.notFound", message: `There is no plan ${id} in this workspace.` });
	}
	return withHost(place, async (runtime) => {
		const { plan, run } = await decide(runtime.plans);
		if (!isJson) process.stdout.write(`The plan “${showExactly(plan.title)}” is ${plan.state}.\n`);
		return run ? waitForRuns(runtime, { runs: [run], areNew: true, areOwn: true, isJson }) : 0;
	});
}

async function answer(
	place: Place,
	id: string,
	isJson: boolean,
	given: { readonly verdict: "allow" | "deny"; readonly scope?: ApprovalScope; readonly reason?: string },
): Promise<number> {
	if (!hasStore(place)) {
		throw new ProblemError({ code: "approval.notFound", message: `There is no question ${id} in this workspace.` });
	}
	return withHost(place, async (runtime) => {
		const approval = await runtime.approvals.answer(id, { ...given, by: "cli" });
		const text = `${describeAnswer(approval)}: ${showExactly(describeQuestion(approval))}\n`;
		process.stdout.write(isJson ? `${JSON.stringify({ approval })}\n` : text);
		return 0;
	});
}

async function listWaiting(place: Place, isJson: boolean): Promise<number> {
	const { approvals, plans } = await readStore(
		place,
		async ({ database }) => ({
			approvals: await database.call("listWaitingApprovals"),
			plans: await database.call("listAwaitingPlans"),
		}),
		() => ({ approvals: [], plans: [] }),
	);
	const lines = [...approvals.map(toText), ...plans.map(toPlanText)];
	process.stdout.write(isJson ? `${JSON.stringify({ approvals, plans })}\n` : lines.join(""));
	if (!isJson && lines.length === 0) process.stderr.write("muster: Nothing waits for you.\n");
	return 0;
}

function toText(approval: Approval): string {
	const { id, agentPath, why } = approval;
	return `${id}  ${agentPath} wants to ${showExactly(describeQuestion(approval))}\n    ${why}\n`;
}

function toPlanText({ id, agentId, title, text }: Plan): string {
	return `${id}  ${agentId} plans “${showExactly(title)}”: ${describeScope(readPlanScope(text))}\n`;
}

function readScope(given = "once"): ApprovalScope {
	if (given === "once" || given === "run" || given === "agent" || given === "always") return given;
	throw new UsageError("--for must be run, agent or always.");
}
