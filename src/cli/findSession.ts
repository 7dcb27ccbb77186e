import { ProblemError } from "../core/base/errors.ts";
import type { SessionControl } from "../core/engine/sessionControl.ts";
import type { Run } from "../core/runs/run.ts";
import type { SessionFacts } from "../core/store/sessions.ts";

/** A session by its key or id, by the unique beginning of one, or by a run of it. `runs` is where beginnings are sought. */
export async function findSession(control: SessionControl, runs: readonly Run[], word: string): Promise<SessionFacts> {
	try {
		return await control.session(word);
	} catch (error) {
		if (!(error instanceof ProblemError) || error.problem.code !== "session.notFound") throw error;
		const [first, second] = new Set(runs.filter((run) => begins(run, word)).map(({ sessionId }) => sessionId));
		if (first === undefined) throw error;
		if (second === undefined) return control.session(first);
		const message = `Several sessions begin with ${word}. Give more of the id.`;
		throw new ProblemError({ code: "session.ambiguous", message }, { cause: error });
	}
}

function begins({ id, sessionId, sessionKey }: Run, word: string): boolean {
	const names = [sessionKey, sessionId, sessionId.replace(/^ses_/u, ""), id, id.replace(/^run_/u, "")];
	return word.trim() !== "" && names.some((name) => name.startsWith(word));
}
