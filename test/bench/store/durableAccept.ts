import type { BenchOptions, Figure } from "../figures.ts";
import { measure } from "../measure.ts";
import { enter, figuresOf } from "./contestants.ts";
import type { Accepted } from "./durableAcceptProcess.ts";

const script = new URL("durableAcceptProcess.ts", import.meta.url);

/** How long until an accepted run is on disk, and how late the thread that asks for it is kept. */
export async function benchDurableAccept({ isQuick }: BenchOptions, workerFile: URL): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const callers of [1, 8, 64]) {
		const calls = isQuick ? callers * 3 : 200 + callers * 15;
		const contestants = enter({ callers, calls, workerFile: workerFile.href });
		const results = await measure<unknown, Accepted>(script, contestants, { rounds: isQuick ? 1 : 5 });
		const name = callers === 1 ? "1 caller" : `${callers} callers`;
		figures.push(
			...figuresOf(`${name}: p50`, results, ({ p50 }) => p50),
			...figuresOf(`${name}: loop delay p99`, results, ({ delayP99 }) => delayP99),
		);
	}
	return figures;
}
