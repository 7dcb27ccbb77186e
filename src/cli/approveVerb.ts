import { describeQuestion, showExactly } from "../core/approvals/describeQuestion.ts";
import type { Approval, ApprovalScope } from "../core/runs/approval.ts";
import { describeAnswer } from "../core/runs/describeAnswer.ts";
import { ProblemError } from "../core/base/errors.ts";
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
	await refuseInsideRun("approve");
	return answer(place, id, isJson, { verdict: "allow", scope });
}

/** `muster reject <id> ["<reason>"]`: denies it; the subagent reads the reason. */
export async function rejectVerb(args: readonly string[]): Promise<number> {
	const { place, isJson, words } = readCall(args, { options: {}, words: ["id"], moreWords: 1 });
	const [id = "", reason] = words;
	await refuseInsideRun("reject");
	return answer(place, id, isJson, { verdict: "deny", ...(reason !== undefined && { reason }) });
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
	const waiting = await readStore(
		place,
		({ database }) => database.call("listWaitingApprovals"),
		() => [],
	);
	process.stdout.write(isJson ? `${JSON.stringify({ approvals: waiting })}\n` : waiting.map(toText).join(""));
	if (!isJson && waiting.length === 0) process.stderr.write("muster: Nothing waits for you.\n");
	return 0;
}

function toText(approval: Approval): string {
	const { id, agentPath, why } = approval;
	return `${id}  ${agentPath} wants to ${showExactly(describeQuestion(approval))}\n    ${why}\n`;
}

function readScope(given = "once"): ApprovalScope {
	if (given === "once" || given === "run" || given === "agent") return given;
	throw new UsageError("--for must be run or agent.");
}
