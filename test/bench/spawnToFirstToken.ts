import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createDemoProvider } from "../../src/core/models/demoModel.ts";
import type { Model, ModelPart, ModelProvider, ModelRequest } from "../../src/core/models/modelPort.ts";
import { ModelRegistry } from "../../src/core/models/modelRegistry.ts";
import { systemClock } from "../../src/core/ports/clock.ts";
import { Runtime } from "../../src/core/runtime.ts";
import { projectRoot } from "../vscode/paths.ts";
import { median } from "./median.ts";

const rounds = 60;
const agentFile = "---\nname: scout\ndescription: Looks.\n---\nYou look.\n";
const logger = { info: () => undefined, warn: () => undefined, error: console.error };

/** Interleaved, so that a busy moment meets all of them. */
export async function measureSpawn(): Promise<Record<string, { "p50 ms": number; "× floor": number }>> {
	const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "muster-bench-")));
	fs.mkdirSync(path.join(folder, ".agents/agents"), { recursive: true });
	fs.writeFileSync(path.join(folder, ".agents/agents/scout.md"), agentFile);
	const demo = createDemoProvider({ pace: "off", clock: systemClock });
	const bare = demo.model("demo");
	if (!bare) throw new Error("The demo model is gone");
	const stopwatch = new FirstTokenWatch(bare);
	const runtime = await openRuntime(folder, stopwatch);
	const file = fs.openSync(path.join(folder, "floor"), "a");
	const times = { floor: [] as number[], accepted: [] as number[], "first token": [] as number[] };
	try {
		for (let round = 0; round < rounds; round++) {
			times.floor.push(await measureFloor(file, bare));
			const { accepted, firstToken } = await measureOne(runtime, stopwatch);
			times.accepted.push(accepted);
			times["first token"].push(firstToken);
		}
	} finally {
		fs.closeSync(file);
		await runtime.close();
		fs.rmSync(folder, { recursive: true, force: true });
	}
	const floor = median(times.floor);
	const row = (ms: number) => ({ "p50 ms": round2(ms), "× floor": round2(ms / floor) });
	return {
		floor: row(floor),
		"spawn answered (durable)": row(median(times.accepted)),
		"first token": row(median(times["first token"])),
	};
}

async function measureFloor(file: number, model: Model): Promise<number> {
	const start = performance.now();
	for (let write = 0; write < 2; write++) {
		fs.writeSync(file, "x".repeat(300));
		fs.fdatasyncSync(file);
	}
	const request = {
		system: "",
		messages: [{ role: "user", text: "Look" }],
		tools: [],
		signal: AbortSignal.timeout(60_000),
	} as const;
	for await (const part of model.stream(request)) if (part.type === "text-delta") break;
	return performance.now() - start;
}

async function measureOne(
	runtime: Runtime,
	stopwatch: FirstTokenWatch,
): Promise<{ accepted: number; firstToken: number }> {
	const start = performance.now();
	const first = stopwatch.next();
	const ended = new Promise((resolve) => {
		const listener = runtime.onDidAnnounce(() => {
			listener.dispose();
			resolve(undefined);
		});
	});
	const answer = await runtime.spawn({ agent: "scout", task: "Look" });
	const accepted = performance.now() - start;
	if (!answer.accepted) throw new Error(answer.error);
	const firstToken = (await first) - start;
	await ended;
	return { accepted, firstToken };
}

/** A model that tells when its first word comes. */
class FirstTokenWatch implements Model {
	readonly ref = "demo/demo" as const;
	readonly label = "Demo";
	readonly #model: Model;
	#tell: (at: number) => void = () => undefined;

	constructor(model: Model) {
		this.#model = model;
	}

	next(): Promise<number> {
		return new Promise((resolve) => (this.#tell = resolve));
	}

	async *stream(request: ModelRequest): AsyncGenerator<ModelPart> {
		for await (const part of this.#model.stream(request)) {
			if (part.type === "text-delta") this.#tell(performance.now());
			yield part;
		}
	}
}

function openRuntime(folder: string, model: Model): Promise<Runtime> {
	const provider: ModelProvider = { id: "demo", label: "Demo", model: () => model };
	return Runtime.open({
		clock: systemClock,
		logger,
		models: new ModelRegistry([provider], "demo/demo"),
		hostKind: "cli",
		workerFile: new URL(`file://${path.join(projectRoot, "dist/databaseWorker.js")}`),
		storeFolder: path.join(folder, "store"),
		homeFolder: folder,
		repoFolder: folder,
		ripgrepPath: undefined,
		isTrusted: () => true,
		laneLimit: () => 8,
	});
}

function round2(value: number): number {
	return Math.round(value * 100) / 100;
}
