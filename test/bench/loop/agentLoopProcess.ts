import { setTimeout as sleep } from "node:timers/promises";
import { answer, readInput } from "../measure.ts";
import { commonTask, type RunAgent } from "./contestant.ts";

export interface LoopInput {
	readonly kind: "cpu" | "heap";
	/** Of the contestant; it exports `runAgent`. */
	readonly module: string;
	readonly baseUrl: string;
	readonly isQuick: boolean;
}

export interface LoopOutput {
	readonly usPerChunk: number;
	readonly msPerRound: number;
	readonly heapKB: number;
	readonly agents: number;
}

const { kind, module, baseUrl, isQuick } = readInput<LoopInput>();
const { runAgent } = (await import(module)) as { readonly runAgent: RunAgent };
answer(kind === "cpu" ? await measureCpu() : await measureHeap());
process.exit();

function run(
	script: { readonly chunks: number; readonly rate?: number; readonly rounds?: number },
	onText: () => void = () => undefined,
	signal = new AbortController().signal,
): Promise<void> {
	const model = `bench-chunks${script.chunks}-rate${script.rate ?? 0}-rounds${script.rounds ?? 0}`;
	return runAgent({ ...commonTask, baseUrl, model, signal, onText });
}

async function measureCpu(): Promise<Partial<LoopOutput>> {
	const size = isQuick ? { answers: 1, chunks: 500, turns: 2 } : { answers: 4, chunks: 5_000, turns: 40 };
	const rounds = 5;
	let seen = 0;
	await run({ chunks: size.chunks, rounds: 2 });
	const streaming = await cpuOf(async () => {
		for (let n = 0; n < size.answers; n++) await run({ chunks: size.chunks }, () => seen++);
	});
	if (seen !== size.answers * size.chunks) throw new Error(`${seen} chunks came`);
	for (let n = 0; n < size.turns / 4; n++) await run({ chunks: 2, rounds });
	const calling = await cpuOf(async () => {
		for (let n = 0; n < size.turns; n++) await run({ chunks: 2, rounds });
	});
	// The answer is a round too.
	return { usPerChunk: streaming / seen, msPerRound: calling / 1000 / (size.turns * (rounds + 1)) };
}

/** In microseconds, of all threads. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return user + system;
}

/** Agents that have called four tools and are in the middle of their answer. */
async function measureHeap(): Promise<Partial<LoopOutput>> {
	const agents = isQuick ? 20 : 200;
	await run({ chunks: 500, rounds: 10 });
	const before = await liveHeap();
	const stop = new AbortController();
	const speaking = new Set<number>();
	const working = Array.from({ length: agents }, (_, agent) => {
		const onText = () => void speaking.add(agent);
		// Stopped in the middle, each says so in its own way.
		return run({ chunks: 10_000, rate: 10, rounds: 4 }, onText, stop.signal).catch((error: unknown) => {
			if (!stop.signal.aborted) throw error;
		});
	});
	const failed = Promise.all(working).then(() => undefined);
	while (speaking.size < agents) await Promise.race([sleep(20), failed]);
	const heapKB = ((await liveHeap()) - before) / 1024 / agents;
	stop.abort();
	await Promise.race([failed, sleep(2_000)]);
	return { heapKB, agents };
}

/** What finalizers and weak references let go of is only free after the next turn of the event loop. */
async function liveHeap(): Promise<number> {
	for (let pass = 0; pass < 5; pass++) {
		await sleep(100);
		globalThis.gc?.();
	}
	return process.memoryUsage().heapUsed;
}
