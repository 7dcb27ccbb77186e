import { join } from "node:path";
import { createPermissionGate, type RuleGate } from "../../src/core/permissions/permissionGate.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

/** The real gate of a restricted agent without rules: it reads in these folders, and is never asked about anything. */
export function readingGate(roots: readonly string[]): RuleGate {
	const home = temporaryFolder();
	return createPermissionGate({
		roots,
		homeDir: home,
		dataDir: join(home, "data"),
		rules: { deny: [], ask: [], allow: [] },
		edits: "ask",
		isRestricted: true,
		isPlanMode: false,
		answers: () => [],
	});
}
