import type { Run } from "../core/runs/run.ts";
import type { Runtime } from "../core/runtime.ts";
import type { AcceptedSpawn } from "../core/spawn/spawnAnswer.ts";
import { askAtTerminal } from "./askAtTerminal.ts";
import { isInBackground, tellParent } from "./background.ts";
import { followRuns, untilIdle, type Follower } from "./followRuns.ts";
import { RunLog } from "./runLog.ts";
import { stopOnSignal } from "./stopOnSignal.ts";

export interface RunsToWaitFor {
	readonly runs: readonly Run[];
	/** Whether they have just been accepted, so that everything about them is news. */
	readonly areNew: boolean;
	/** Whether this process executes them; Ctrl-C stops only these. */
	readonly areOwn: boolean;
	readonly isJson: boolean;
	/** By run id: goes with its `subagent.spawned`. */
	readonly answers?: ReadonlyMap<string, AcceptedSpawn>;
	/** What could not be had besides these runs, for the parent of a background process. */
	readonly refused?: string;
}

/** Shows runs until their ends are announced. 0 when all ended `ok`. In the background, says their ids and is silent. */
export async function waitForRuns(runtime: Runtime, wanted: RunsToWaitFor): Promise<number> {
	const { runs, areNew, areOwn, refused = "" } = wanted;
	if (isInBackground()) {
		await tellParent({ out: await describeAccepted(runtime, wanted), err: refused, code: refused === "" ? 0 : 1 });
		if (!areOwn) return 0;
	}
	const signal = areOwn
		? stopOnSignal(
				runtime,
				runs.map(({ id }) => id),
			)
		: undefined;
	const asker = askAtTerminal(runtime, new Set(runs.map(({ id }) => id)), wanted.isJson || isInBackground());
	try {
		const followed = runs.map((run) => ({ run, isNew: areNew }));
		const ends = await followRuns(runtime, followed, isInBackground() ? silent : createFollower(wanted));
		const [first] = runs;
		if (first && areOwn) await untilIdle(runtime, first.hostId);
		return ends.every((state) => state === "ok") && refused === "" ? 0 : 1;
	} finally {
		asker.dispose();
		signal?.dispose();
	}
}

const silent: Follower = { onEvent: () => undefined };

function createFollower({ isJson, answers }: RunsToWaitFor): Follower {
	if (!isJson) return new RunLog((text) => process.stdout.write(text));
	return { onEvent: (event) => process.stdout.write(toLine(event, answers)) };
}

function toLine(event: { readonly type: string; readonly runId: string }, answers: RunsToWaitFor["answers"]): string {
	const answer = event.type === "subagent.spawned" ? answers?.get(event.runId) : undefined;
	return `${JSON.stringify({ ...event, ...(answer && { answer }) })}\n`;
}

async function describeAccepted(runtime: Runtime, { runs, isJson, answers }: RunsToWaitFor): Promise<string> {
	if (!isJson) return runs.map(({ id }) => `${id}\n`).join("");
	const events = await Promise.all(runs.map(({ id }) => runtime.transcripts.readEvents(id)));
	return events
		.flatMap(([spawned]) => spawned ?? [])
		.map((event) => toLine(event, answers))
		.join("");
}
