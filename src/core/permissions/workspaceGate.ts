import { realpath } from "node:fs/promises";
import { unreachable } from "../base/errors.ts";
import { resolveInside } from "./resolveInside.ts";
import type { Decision, PermissionGate, SideEffect } from "./sideEffect.ts";

/**
 * Allows reading inside the workspace folders, and nothing else.
 *
 * The folders are made real once, here: one that is swapped for a link later does not move the border.
 */
export function createWorkspaceGate(roots: readonly string[]): PermissionGate {
	// A folder that is not there keeps its name: whatever appears under it later is still checked against that name.
	const realRoots = Promise.all(roots.map((root) => realpath(root).catch(() => root)));
	return {
		async decide(effect) {
			if (effect.kind === "none") return { verdict: "allow", path: "", because: "it touches nothing" };
			if (effect.kind !== "read") return deny(explainReadOnly(effect));
			const resolved = await resolveInside(effect.path, await realRoots);
			if (!resolved.ok) return deny(resolved.reason);
			return { verdict: "allow", path: resolved.path, because: "reading in the workspace" };
		},
	};
}

function deny(reason: string): Decision {
	return { verdict: "deny", reason };
}

function explainReadOnly(effect: Exclude<SideEffect, { kind: "read" | "none" }>): string {
	switch (effect.kind) {
		case "write":
			return "This version allows reading only, so files cannot be written. Describe the change in your report instead.";
		case "run":
			return "This version allows reading only, so commands cannot be run. Say in your report which command to run and why.";
		case "mcp":
		case "start":
		case "fetch":
		case "search":
			return "This version allows reading only, so nothing can be fetched. Say in your report what is left to look up and where.";
		default:
			return unreachable(effect);
	}
}
