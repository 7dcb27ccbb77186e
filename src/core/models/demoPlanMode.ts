/** The line by which the demo model sees that it is to plan; the prompt of a plan run contains it. */
export const planModeMarker = "## PLAN MODE";

export function isPlanMode(system: string): boolean {
	return system.split(/\r?\n/u).some((line) => line.trim() === planModeMarker);
}
