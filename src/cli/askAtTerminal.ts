import { createInterface } from "node:readline/promises";
import { describeQuestion } from "../core/approvals/describeQuestion.ts";
import { showExactly } from "../core/base/showExactly.ts";
import type { Disposable } from "../core/base/disposable.ts";
import { messageOf } from "../core/base/errors.ts";
import type { Approval } from "../core/runs/approval.ts";
import type { Runtime } from "../core/runtime.ts";

/**
 * What these runs ask is asked here, one question after the other, when a person sits at the terminal; somebody else may
 * answer first. Without a terminal it waits in the inbox, and is said.
 */
export function askAtTerminal(runtime: Runtime, runIds: ReadonlySet<string>, isSilent: boolean): Disposable {
	const isTerminal = process.stdin.isTTY && process.stderr.isTTY && !isSilent;
	const told = new Set<string>();
	let isAsking = false;
	const look = () => {
		const [next] = runtime.approvals.waiting.filter(({ id, runId }) => runIds.has(runId) && !told.has(id));
		if (!next || isAsking) return;
		told.add(next.id);
		if (!isTerminal) {
			process.stderr.write(`muster: ${describe(next)}\n  muster approve ${next.id}\n  muster reject ${next.id}\n`);
			return look();
		}
		isAsking = true;
		askOne(runtime, next)
			.catch((error: unknown) => process.stderr.write(`muster: ${messageOf(error)}\n`))
			.finally(() => {
				isAsking = false;
				look();
			});
	};
	const listener = runtime.approvals.onDidChange(look);
	look();
	return listener;
}

async function askOne(runtime: Runtime, approval: Approval): Promise<void> {
	const reader = createInterface({ input: process.stdin, output: process.stderr });
	const over = new AbortController();
	// Answered elsewhere, or its run has ended: nobody waits for this line any more.
	const listener = runtime.approvals.onDidChange(() => {
		if (!runtime.approvals.waiting.some(({ id }) => id === approval.id)) over.abort();
	});
	try {
		const forRun = approval.offers.some(({ scope }) => scope === "run");
		const choices = forRun ? "y = once, r = for this run, anything else = no" : "y = once, anything else = no";
		const question = `${describe(approval)}\n${showExactly(approval.input)}\nAllow? (${choices}) `;
		const line = (await reader.question(question, { signal: over.signal })).trim().toLowerCase();
		const scope = line === "r" && forRun ? "run" : "once";
		const verdict = line === "y" || scope === "run" ? "allow" : "deny";
		await runtime.approvals.answer(approval.id, { verdict, scope, by: "terminal", hash: approval.hash });
	} catch (error) {
		if (!over.signal.aborted) throw error;
	} finally {
		listener.dispose();
		reader.close();
	}
}

function describe(approval: Approval): string {
	return `${approval.agentPath} wants to ${showExactly(describeQuestion(approval))}\n  ${approval.why}`;
}
