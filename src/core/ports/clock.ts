import type { Disposable } from "../base/disposable.ts";

/** The core's only source of time. */
export interface Clock {
	now(): number;
	/** Calls back once after `ms`, unless disposed before. */
	after(ms: number, callback: () => void): Disposable;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	after(ms, callback) {
		const timer = setTimeout(callback, ms);
		return { dispose: () => clearTimeout(timer) };
	},
};
