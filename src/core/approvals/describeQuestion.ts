import type { Approval } from "../runs/approval.ts";

const verbs: Readonly<Record<Approval["effect"], string>> = {
	none: "use",
	read: "read",
	write: "write",
	run: "run",
	fetch: "fetch",
	search: "search for",
	mcp: "use",
	start: "start",
	spawn: "spawn",
};

/** What it wants to do, e.g. `run npm test`. For people. */
export function describeQuestion({ effect, subject, tool }: Pick<Approval, "effect" | "subject" | "tool">): string {
	return `${verbs[effect]} ${subject === "" ? tool : subject}`;
}
