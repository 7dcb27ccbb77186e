import { ProblemError } from "../core/base/errors.ts";
import { leaveInBackground, tellParent } from "./background.ts";
import { findSession } from "./findSession.ts";
import { withHost } from "./openHost.ts";
import { hasStore } from "./openStore.ts";
import { readCall } from "./storeOptions.ts";
import { waitForRuns } from "./waitForRuns.ts";

const flag = { type: "boolean" } as const;

/** `muster send <session> "<text>"`: its run reads it at the next boundary; when none lives, a new one answers. */
export async function sendVerb(args: readonly string[]): Promise<number> {
	const { place, isJson, values, words } = readCall(args, {
		options: { detach: flag, background: flag },
		words: ["session", "text"],
	});
	const [word = "", text = ""] = words;
	if (!hasStore(place)) {
		throw new ProblemError({ code: "session.notFound", message: `There is no session ${word} in this workspace.` });
	}
	if (values.detach === true) return leaveInBackground("send", args);
	return withHost(place, async (runtime) => {
		const session = await findSession(runtime.control, runtime.runs.list(), word);
		const { kind, run } = await runtime.control.send(session, text);
		if (kind === "steered" && run.hold !== null) {
			const err = `muster: ${run.id} is ${run.hold}. It reads this after “muster resume ${run.id}”.\n`;
			process.stderr.write(err);
			await tellParent({ out: "", err, code: 0 });
			return 0;
		}
		const isNew = kind === "started";
		return waitForRuns(runtime, { runs: [run], areNew: isNew, areOwn: isNew, isJson });
	});
}
