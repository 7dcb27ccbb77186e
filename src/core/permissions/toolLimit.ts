import { matchCommand, matchHost, matchPath, type Rule } from "./rule.ts";
import { judgeShellCommand } from "./shellCommand.ts";
import type { SideEffect } from "./sideEffect.ts";

/** A tool that an agent has for some calls only. Inside, the other rules and the defaults decide as ever. */
export interface ToolLimit {
	readonly tool: string;
	/** As it was written, for the model. */
	readonly text: string;
	/** What one of these fits is inside; without any, nothing is. */
	readonly rules: readonly Rule[];
}

interface Places {
	readonly roots: readonly string[];
	readonly homeDir: string;
}

/** The limit that a call leaves. `path` is the real one. A command that is not plain may be anything, so it is outside. */
export function findLeftLimit(
	limits: readonly ToolLimit[],
	call: { readonly effect: SideEffect; readonly tool: string; readonly path: string },
	places: Places,
): ToolLimit | undefined {
	return limits.find(({ tool, rules }) => tool === call.tool && !isInsideLimit(rules, call, places));
}

/** Whether a tool that reads many files leaves this one out, because its limit does. */
export function isLeftOut(limits: readonly ToolLimit[], path: string, tool: string, places: Places): boolean {
	return findLeftLimit(limits, { effect: { kind: "read", path }, tool, path }, places) !== undefined;
}

function isInsideLimit(
	rules: readonly Rule[],
	{ effect, path }: { readonly effect: SideEffect; readonly path: string },
	places: Places,
): boolean {
	switch (effect.kind) {
		case "read":
		case "write":
			return rules.some((rule) => matchPath(rule, path, places) !== undefined);
		case "run": {
			const judged = judgeShellCommand(effect.command);
			if (!judged.isPlain) return false;
			return judged.commands.every((argv) => rules.some((rule) => matchCommand(rule, argv) !== undefined));
		}
		case "fetch":
			return rules.some((rule) => URL.canParse(effect.url) && matchHost(rule, new URL(effect.url).host));
		case "none":
			return true;
		default:
			// Rules for the others have no patterns.
			return false;
	}
}
