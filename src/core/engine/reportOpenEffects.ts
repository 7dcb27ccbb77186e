import { hashBytes } from "../base/hashBytes.ts";
import { showOnOneLine } from "../base/showExactly.ts";
import type { FileAccess } from "../ports/fileAccess.ts";
import type { Clock } from "../ports/clock.ts";
import type { Run } from "../runs/run.ts";
import { nudgeMark } from "../sessions/history.ts";
import type { Database } from "../store/database.ts";
import type { OpenEffect } from "../store/effects.ts";
import { displayPath } from "../tools/builtin/displayPath.ts";
import { inspectFile } from "../tools/builtin/inspectFile.ts";

export interface ReportOpenEffects {
	readonly database: Database;
	readonly clock: Clock;
	/** The folder that the run works in. */
	readonly root: string | null;
	readonly files: Pick<FileAccess, "readFile">;
}

/**
 * Tells a run that goes on what became of the calls that were under way when an earlier run of its session ended: what is
 * on record of them is compared with the files as they are now. Nothing is repeated.
 */
export async function reportOpenEffects(run: Run, options: ReportOpenEffects): Promise<void> {
	const { database, clock } = options;
	const open = await database.call("listOpenEffects", { sessionId: run.sessionId });
	if (open.length === 0) return;
	const lines = await Promise.all(open.map(async (effect) => `- ${await describe(effect, options)}`));
	await database.call("tellEffects", {
		runId: run.id,
		sessionId: run.sessionId,
		seqs: open.map(({ seq }) => seq),
		text: `${heading}\n${lines.join("\n")}`,
		toolName: nudgeMark,
		at: clock.now(),
	});
}

const heading =
	"An earlier run of this session was cut off during calls that change something. This is what the record and the files say of them now:";

async function describe({ tool, kind, subject, change }: OpenEffect, options: ReportOpenEffects): Promise<string> {
	const isFile = kind === "write";
	const name = showOnOneLine(isFile && options.root !== null ? displayPath(options.root, subject) : subject);
	if (!isFile)
		return `${tool} ${name}: unknown. It was begun, and nobody knows how far it came. Check before you repeat it.`;
	if (change === null) return `${tool} ${name}: not done. Nothing was written to disk.`;
	const current = await hashOf(change.path, options.files);
	if (current === change.intendedHash) return `${tool} ${name}: done. The file has the content that was to be written.`;
	if (current === change.baseHash) {
		return `${tool} ${name}: not done. The file ${change.baseHash === null ? "does not exist" : "is as it was before"}.`;
	}
	return `${tool} ${name}: unknown. The file is neither as it was before nor as it was to be: somebody else has changed it since. Read it before you go on.`;
}

/** Null where there is no file, undefined where what is there can't be compared. */
async function hashOf(path: string, files: Pick<FileAccess, "readFile">): Promise<string | null | undefined> {
	const found = await inspectFile(path);
	if (found.kind === "missing") return null;
	if (found.kind === "unusable") return undefined;
	try {
		return hashBytes(await files.readFile(path));
	} catch {
		// Too large by now, changing at this moment, or not to be read: what is in it is not what was recorded.
		return undefined;
	}
}
