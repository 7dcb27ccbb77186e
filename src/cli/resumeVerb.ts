import type { Run } from "../core/runs/run.ts";
import type { Runtime } from "../core/runtime.ts";
import { leaveInBackground, tellParent } from "./background.ts";
import type { Place } from "./findStore.ts";
import { withHost } from "./openHost.ts";
import { hasStore, noSuchRun, readStore } from "./openStore.ts";
import { refuseInsideRun } from "./refuseInsideRun.ts";
import { readCall } from "./storeOptions.ts";
import { UsageError } from "./usage.ts";
import { waitForRuns } from "./waitForRuns.ts";

const flag = { type: "boolean" } as const;

interface Resumed {
	readonly runs: readonly Run[];
	readonly areNew: boolean;
	readonly areOwn: boolean;
}

/** `muster resume <run>`: a run that was cut off goes on in a new one, a parked or paused one by itself. */
export async function resumeVerb(args: readonly string[]): Promise<number> {
	const { place, isJson, values, words } = readCall(args, {
		options: { all: flag, detach: flag, background: flag },
		moreWords: 1,
	});
	await refuseInsideRun("resume", place);
	const [word] = words;
	const isAll = values.all === true;
	if ((word === undefined) !== isAll) throw new UsageError("Name one run, or give --all.");
	if (!hasStore(place)) return word === undefined ? sayNothingParked() : noSuchRun(word);
	if (values.detach === true) return leaveInBackground("resume", args);
	return withHost(place, async (runtime) => {
		const resumed = word === undefined ? await resumeAll(place, runtime) : await resumeOne(runtime, word);
		return resumed.runs.length === 0 ? sayNothingParked() : waitForRuns(runtime, { ...resumed, isJson });
	});
}

async function sayNothingParked(): Promise<number> {
	const err = "muster: No run is parked.\n";
	process.stderr.write(err);
	await tellParent({ out: "", err, code: 0 });
	return 0;
}

async function resumeOne(runtime: Runtime, word: string): Promise<Resumed> {
	const run = await runtime.control.find(word);
	if (run.hold === "parked") {
		await runtime.resumeParked(run.id);
		return { runs: [await runtime.control.find(run.id)], areNew: false, areOwn: true };
	}
	if (run.hold === "paused") {
		await runtime.control.continue(run.id);
		return { runs: [run], areNew: false, areOwn: false };
	}
	return { runs: [await runtime.control.resume(run)], areNew: true, areOwn: true };
}

/** Everything that is parked goes to a window that is open, which stays; without one, to this process. */
async function resumeAll(place: Place, runtime: Runtime): Promise<Resumed> {
	const parked = runtime.runs.list().filter(({ hold }) => hold === "parked");
	if (parked.length === 0) return { runs: [], areNew: false, areOwn: false };
	const isHandedOver = await handToWindow(place);
	if (!isHandedOver) await runtime.resumeParked();
	const runs = await Promise.all(parked.map(({ id }) => runtime.control.find(id)));
	return { runs, areNew: false, areOwn: !isHandedOver };
}

function handToWindow(place: Place): Promise<boolean> {
	return readStore(
		place,
		async ({ database }) => {
			const windows = (await database.call("listHosts")).filter(({ kind }) => kind === "window");
			for (const { id } of windows) {
				if (!(await database.isHostAlive(id))) continue;
				await database.call("unparkRuns", { hostId: id });
				return true;
			}
			return false;
		},
		() => false,
	);
}
