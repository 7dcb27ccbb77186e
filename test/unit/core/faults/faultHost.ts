/**
 * A process with a runtime, made to be hurt. It prints each fact that it was told is so, one line of JSON each, before it
 * does anything else: what it has printed must be true for ever, whatever happens to it.
 */
import { writeSync } from "node:fs";
import { messageOf } from "../../../../src/core/base/errors.ts";
import { ModelRegistry } from "../../../../src/core/models/modelRegistry.ts";
import { systemClock } from "../../../../src/core/ports/clock.ts";
import { Runtime } from "../../../../src/core/runtime.ts";
import { isTerminal } from "../../../../src/core/runs/runState.ts";
import { TaskModel } from "../../../fakes/taskModel.ts";
import type { Command, Fact, HostOptions } from "./faultFacts.ts";
import { useTwin } from "./twins.ts";

const options = JSON.parse(process.argv[2] ?? "") as HostOptions;
const print = (fact: Fact) => void writeSync(1, `${JSON.stringify(fact)}\n`);
const model = new TaskModel((kind) => print({ kind }));
const workerFile = options.twin
	? useTwin(options.twin)
	: new URL("../../../../src/core/store/databaseWorker.ts", import.meta.url);
const started = systemClock.now();

const runtime = await Runtime.open({
	// To such a host nobody ever seems late.
	clock: options.isPatient
		? { ...systemClock, now: () => started + Math.floor((systemClock.now() - started) / 1_000) }
		: systemClock,
	logger: {
		info: () => undefined,
		warn: () => undefined,
		error: (message) => print({ kind: "reported", message }),
	},
	models: new ModelRegistry([{ id: "demo", label: "Demo", model: () => model }], model.ref),
	hostKind: "window",
	workerFile,
	storeFolder: options.storeFolder,
	homeFolder: options.repoFolder,
	repoFolder: options.repoFolder,
	ripgrepPath: undefined,
	isTrusted: () => true,
	laneLimit: () => options.laneLimit,
	edits: () => options.edits ?? "ask",
	...(options.killAt && { killAt: options.killAt }),
});

const told = new Set<string>();
let announced = 0;
runtime.runs.onDidChange(tellEnds);
runtime.onDidAnnounce(({ run, text }) => {
	announced++;
	print({ kind: "announced", runId: run.id, text });
	closeWhenDone();
});
process.on("message", (command: Command) => void obey(command));
print({ kind: "opened" });
if (options.isResuming) await runtime.resumeParked();
for (let index = 0; index < options.spawns; index++) await spawn(`${options.task ?? "Read"} ${index}`);

async function spawn(task: string): Promise<void> {
	try {
		const answer = await runtime.spawn({ agent: "scout", task });
		if (answer.accepted) print({ kind: "accepted", runId: answer.runId });
		else print({ kind: "refused", task, error: answer.error });
	} catch (error) {
		print({ kind: "refused", task, error: messageOf(error) });
	}
}

async function obey(command: Command): Promise<void> {
	if (command.kind === "spawn") return spawn(command.task);
	await runtime.close();
	process.disconnect?.();
}

function tellEnds(ids: ReadonlySet<string>): void {
	for (const id of ids) {
		const run = runtime.runs.get(id);
		if (!run) continue;
		const { state, summary, error, startedAt, endedAt } = run;
		const key = isTerminal(state) ? `${id} ended` : `${id} ${state}`;
		if (told.has(key)) continue;
		told.add(key);
		if (isTerminal(state)) print({ kind: "ended", runId: id, state, summary, error, startedAt, endedAt });
		else if (state === "running") print({ kind: "started", runId: id });
	}
}

/** A host that has only its own spawns to do ends when they are done. */
function closeWhenDone(): void {
	if (options.spawns > 0 && announced === options.spawns) void obey({ kind: "close" });
}
