import { parseRule } from "../core/permissions/rule.ts";
import type { RunRequest } from "../core/runs/runRequest.ts";
import type { Runtime } from "../core/runtime.ts";
import type { AcceptedSpawn, RefusedSpawn } from "../core/spawn/spawnAnswer.ts";
import { isInBackground, leaveInBackground, tellParent } from "./background.ts";
import { withHost } from "./openHost.ts";
import { refuseInsideRun } from "./refuseInsideRun.ts";
import { readCall, type Call } from "./storeOptions.ts";
import { canonicalToolName } from "../core/tools/toolNames.ts";
import { UsageError } from "./usage.ts";
import { waitForRuns } from "./waitForRuns.ts";

const cliSession = { key: "agent:main:cli", kind: "user", agentId: "main" } as const;
const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const options = {
	context: text,
	model: text,
	role: text,
	count: text,
	detach: flag,
	background: flag,
	allow: { type: "string", multiple: true },
	"on-ask": text,
	plan: flag,
	"over-budget": flag,
} as const;

/** `muster run <agent> "<task>"`: spawns, shows what happens, and waits for the end. 0 when every run ended `ok`. */
export async function runVerb(args: readonly string[]): Promise<number> {
	const call = readCall(args, { options, words: ["agent", "task"] });
	const count = readCount(call.values.count);
	const grants = readGrants(call.values);
	if (grants.allow) await refuseInsideRun("--allow", call.place);
	if (grants.isOverBudget) await refuseInsideRun("--over-budget", call.place);
	if (call.values.detach === true) return leaveInBackground("run", args);
	return withHost(call.place, (runtime) => spawnAndWait(runtime, call, { count, grants }));
}

async function spawnAndWait(
	runtime: Runtime,
	call: Call<typeof options>,
	{ count, grants }: { readonly count: number; readonly grants: Grants },
): Promise<number> {
	const { context, model, role, plan: planMode } = call.values;
	const [agent, task] = call.words;
	const accepted: AcceptedSpawn[] = [];
	const refused: RefusedSpawn[] = [];
	for (let index = 0; index < count && refused.length === 0; index++) {
		const answer = await runtime.spawn(
			{ agent, task, context, model, role, planMode },
			{ ...runtime.person(cliSession), grants },
		);
		if (answer.accepted) accepted.push(answer);
		else refused.push(answer);
	}
	const warnings = new Set(accepted.flatMap(({ warning }) => warning ?? []));
	for (const warning of warnings) process.stderr.write(`muster: ${warning}\n`);
	const refusal = refused.map(({ status, error }) => `muster: ${status}: ${error}\n`).join("");
	if (accepted.length === 0) return refuse(refused, refusal, call.isJson);
	if (!isInBackground()) process.stderr.write(refusal);
	const runs = await Promise.all(accepted.map(({ runId }) => runtime.control.find(runId)));
	const answers = new Map(accepted.map((answer) => [answer.runId, answer]));
	return waitForRuns(runtime, { runs, areNew: true, areOwn: true, isJson: call.isJson, answers, refused: refusal });
}

async function refuse(refused: readonly RefusedSpawn[], refusal: string, isJson: boolean): Promise<number> {
	const out = isJson ? refused.map((answer) => `${JSON.stringify(answer)}\n`).join("") : "";
	const err = isJson ? "" : refusal;
	process.stdout.write(out);
	process.stderr.write(err);
	await tellParent({ out, err, code: 1 });
	return 1;
}

type Grants = Pick<RunRequest, "allow" | "onAsk" | "isOverBudget">;

/** What the person lets these runs do. A rule that cannot be read is no rule, so nothing runs. */
function readGrants({ allow, "on-ask": onAsk, "over-budget": isOverBudget }: Call<typeof options>["values"]): Grants {
	for (const rule of allow ?? []) {
		const parsed = parseRule(rule, { origin: "--allow", canonicalName: canonicalToolName });
		if (!parsed.ok) throw new UsageError(parsed.problem.message);
	}
	if (onAsk !== undefined && onAsk !== "inbox" && onAsk !== "deny")
		throw new UsageError("--on-ask must be inbox or deny.");
	return { ...(allow && { allow }), ...(onAsk !== undefined && { onAsk }), ...(isOverBudget && { isOverBudget }) };
}

function readCount(given = "1"): number {
	if (!/^[1-9]\d{0,3}$/u.test(given)) throw new UsageError("--count must be a whole number from 1 to 9999.");
	return Number(given);
}
