/** A process with a runtime whose one lane slot is taken by a run that never ends; made to be killed. */
import { ModelRegistry } from "../../src/core/models/modelRegistry.ts";
import { systemClock } from "../../src/core/ports/clock.ts";
import { Runtime } from "../../src/core/runtime.ts";
import { ScriptedModel } from "./scriptedModel.ts";

const [, , storeFolder = "", repoFolder = ""] = process.argv;
const model = new ScriptedModel({ text: "Hm", hangs: "deafly" });
const logger = { info: () => undefined, warn: () => undefined, error: console.error };
const runtime = await Runtime.open({
	clock: systemClock,
	logger,
	models: new ModelRegistry([{ id: "demo", label: "Demo", model: () => model }], model.ref),
	hostKind: "window",
	workerFile: new URL("../../src/core/store/databaseWorker.ts", import.meta.url),
	storeFolder,
	homeFolder: storeFolder,
	repoFolder,
	ripgrepPath: undefined,
	isTrusted: () => true,
	laneLimit: () => 1,
});

async function spawn(): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task: "Look" });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

const running = await spawn();
const queued = await spawn();
const tell = () => {
	if (runtime.runs.get(running)?.state === "running") process.send?.({ running, queued });
};
runtime.runs.onDidChange(tell);
tell();
