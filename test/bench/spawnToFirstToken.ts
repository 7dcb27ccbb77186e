import fs from "node:fs";
import path from "node:path";
import { createDemoProvider } from "../../src/core/models/demoModel.ts";
import type { Model, ModelPart, ModelProvider, ModelRequest } from "../../src/core/models/modelPort.ts";
import { ModelRegistry } from "../../src/core/models/modelRegistry.ts";
import { systemClock } from "../../src/core/ports/clock.ts";
import { Runtime } from "../../src/core/runtime.ts";
import type { BenchOptions, Figure } from "./figures.ts";
import { withTemporaryFolder } from "./temporaryFolder.ts";

const agentFile = "---\nname: scout\ndescription: Looks.\n---\nYou look.\n";
const logger = { info: () => undefined, warn: () => undefined, error: console.error };

/** Interleaved, so that a busy moment meets all of them. */
export function measureSpawn({ isQuick }: BenchOptions, workerFile: URL): Promise<Figure[]> {
	return withTemporaryFolder((folder) => measureIn(folder, isQuick ? 5 : 60, workerFile));
}

async function measureIn(folder: string, rounds: number, workerFile: URL): Promise<Figure[]> {
	fs.mkdirSync(path.join(folder, ".agents/agents"), { recursive: true });
	fs.writeFileSync(path.join(folder, ".agents/agents/scout.md"), agentFile);
	const demo = createDemoProvider({ pace: "off", clock: systemClock });
	const bare = demo.model("demo");
	if (!bare) throw new Error("The demo model is gone");
	const stopwatch = new FirstTokenWatch(bare);
	const runtime = await openRuntime(folder, stopwatch, workerFile);
	const file = fs.openSync(path.join(folder, "floor"), "a");
	const times = { floor: [] as number[], accepted: [] as number[], firstToken: [] as number[] };
	try {
		for (let round = 0; round < rounds; round++) {
			times.floor.push(await measureFloor(file, bare));
			const { accepted, firstToken } = await measureOne(runtime, stopwatch);
			times.accepted.push(accepted);
			times.firstToken.push(firstToken);
		}
	} finally {
		fs.closeSync(file);
		await runtime.close();
	}
	const common = { measure: "spawn", unit: "ms" };
	return [
		{ ...common, contestant: "two appends + fdatasync each, and the bare model", role: "floor", samples: times.floor },
		{ ...common, contestant: "Muster: answered, durable", role: "muster", samples: times.accepted },
		{ ...common, contestant: "Muster: first token", role: "muster", samples: times.firstToken },
	];
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

function openRuntime(folder: string, model: Model, workerFile: URL): Promise<Runtime> {
	const provider: ModelProvider = { id: "demo", label: "Demo", model: () => model };
	return Runtime.open({
		clock: systemClock,
		logger,
		models: new ModelRegistry([provider], "demo/demo"),
		hostKind: "cli",
		workerFile,
		storeFolder: path.join(folder, "store"),
		homeFolder: folder,
		repoFolder: folder,
		ripgrepPath: undefined,
		isTrusted: () => true,
		laneLimit: () => 8,
	});
}
