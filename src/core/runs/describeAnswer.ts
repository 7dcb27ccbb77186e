import type { Approval, Surface } from "./approval.ts";

const surfaces: Readonly<Record<Surface, string>> = {
	notification: "in a notification",
	tree: "in the Approvals view",
	editor: "in the editor",
	panel: "in the ops panel",
	chat: "in chat",
	cli: "on the command line",
	terminal: "at the terminal",
	expiry: "because nobody answered in time",
};

/** E.g. `Allowed once, in the Approvals view`. */
export function describeAnswer({ state, scope, answeredBy }: Approval): string {
	if (state === "waiting") return "Not answered yet";
	if (state === "withdrawn" || answeredBy === null) return "Withdrawn, because its run ended";
	const reach = { once: "once", run: "for this run", agent: "for this agent", always: "always" }[scope ?? "once"];
	return `${state === "allowed" ? "Allowed" : "Denied"} ${reach}, ${surfaces[answeredBy]}`;
}
