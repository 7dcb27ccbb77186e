import { ProblemError } from "../core/base/errors.ts";
import type { Place } from "./findStore.ts";
import { isInsideRun } from "../core/processes/isInsideRun.ts";

/** What only a person may do is not done for a subagent that runs this program from its shell. */
export async function refuseInsideRun(what: string, { store }: Place): Promise<void> {
	if (!(await isInsideRun(process.env, store))) return;
	const message = `“${what}” is for people: a subagent cannot do it from its own shell.`;
	throw new ProblemError({ code: "approval.insideRun", message });
}
