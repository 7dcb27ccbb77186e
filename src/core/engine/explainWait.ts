import { formatDuration } from "../base/format.ts";
import type { Run } from "../runs/run.ts";
import type { QueueFacts } from "../store/lanes.ts";

/** Why a queued run has not started yet, in words for a person. Null when it is not queued, or about to start. */
export function explainWait(
	run: Run,
	facts: QueueFacts,
	others: { readonly isSessionBusy: boolean; readonly hostId: string; readonly at: number },
): string | null {
	if (run.state !== "queued") return null;
	if (run.hold === "parked") return `parked: ${run.parkedBecause ?? "its window was closed"}; resume it to go on`;
	if (run.hold === "paused") return "paused";
	const lane = facts.lanes.find(({ name }) => name === run.lane);
	if (lane?.isPaused) return `the ${run.lane} lane is paused`;
	if (others.isSessionBusy) return "its session is busy with an earlier run";
	const role = facts.roles.find((candidate) => candidate.role === run.role);
	if (role && role.taken >= role.cap) return `${role.taken} of ${role.cap} with the role ${role.role} are at work`;
	const pause = facts.providers.find(({ provider }) => run.model.startsWith(`${provider}/`));
	if (pause) return `${pause.provider} wants a pause of ${formatDuration(pause.until - others.at)}: ${pause.reason}`;
	if (lane && lane.taken >= lane.cap) return `${lane.taken} of ${lane.cap} are at work`;
	return run.hostId === others.hostId ? null : "another window has to start it";
}
