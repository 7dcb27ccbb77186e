import type { Clock } from "../ports/clock.ts";

/** The time as part of a file's name; names in their order are in the order of time. */
export function fileStamp(clock: Clock): string {
	return new Date(clock.now()).toISOString().replaceAll(/[-:.]/gu, "");
}
