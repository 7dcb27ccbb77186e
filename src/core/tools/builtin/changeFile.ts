import { messageOf } from "../../base/errors.ts";
import { hashBytes } from "../../base/hashBytes.ts";
import { FileChangedError } from "../../ports/fileAccess.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { displayPath } from "./displayPath.ts";
import { explainFileProblem } from "./explainFileProblem.ts";
import { inspectFile } from "./inspectFile.ts";
import { withPathLock } from "./pathLock.ts";

/** More could not be taken back: what was there before is kept with each change. */
export const maxFileBytes = 10 * 1024 * 1024;

export type NewContent =
	/** `said` goes to the model when it is written. */
	| { readonly ok: true; readonly bytes: Uint8Array; readonly said: string }
	| { readonly ok: false; readonly problem: string };

/**
 * Reads a file, lets `change` say what is to be in it (null: there is none yet), and writes that, once the change is
 * recorded. Refuses a file that is not any more as this run last saw it.
 */
export function changeFile(
	context: ToolContext,
	change: (current: Uint8Array | null) => NewContent,
): Promise<ToolResult> {
	return withPathLock(context.path, async () => {
		const { path, root, files, seenFiles, signal } = context;
		signal.throwIfAborted();
		const name = displayPath(root, path);
		const found = await inspectFile(path);
		if (found.kind === "unusable") return failed(`${name} ${found.problem}`);
		const seen = seenFiles.get(path);
		if (seen !== undefined && (found.kind === "missing" || found.stamp !== seen)) return failed(explainChanged(name));
		if (found.kind === "file" && found.size > maxFileBytes) return failed(explainTooLarge(name, found.size));
		let preImage: Uint8Array | null;
		try {
			preImage = found.kind === "missing" ? null : await files.readFile(path);
		} catch (error) {
			return failed(error instanceof FileChangedError ? explainChanged(name) : `${name} ${explainFileProblem(error)}`);
		}
		const content = change(preImage);
		if (!content.ok) return failed(content.problem);
		if (content.bytes.length > maxFileBytes) return failed(explainTooLarge(name, content.bytes.length));
		return record(context, { name, preImage, bytes: content.bytes, said: content.said });
	});
}

interface Write {
	readonly name: string;
	readonly preImage: Uint8Array | null;
	readonly bytes: Uint8Array;
	readonly said: string;
}

async function record(context: ToolContext, { name, preImage, bytes, said }: Write): Promise<ToolResult> {
	const { path, callId, files, changes, seenFiles } = context;
	const baseHash = preImage === null ? null : hashBytes(preImage);
	const intendedHash = hashBytes(bytes);
	if (baseHash === intendedHash) return succeeded(`${name} has exactly this content already. Nothing was changed.`);
	await changes.planned({ callId, path, preImage, baseHash, intendedHash });
	try {
		await files.writeFile(path, bytes, { expectedHash: baseHash });
	} catch (error) {
		await changes.done({ callId, path, outcome: "notWritten" });
		return failed(error instanceof FileChangedError ? explainChanged(name) : explainFailure(name, error));
	}
	const written = await inspectFile(path);
	if (written.kind === "file") seenFiles.set(path, written.stamp);
	try {
		await changes.done({ callId, path, outcome: "written" });
	} catch (error) {
		return failed(`${name} was written, but that could not be recorded: ${messageOf(error)}. Do not write it again.`);
	}
	return succeeded(said);
}

function explainChanged(name: string): string {
	return `${name} was changed by somebody else since you read it. Nothing was written. Read it again, then decide.`;
}

function explainTooLarge(name: string, size: number): string {
	return `${name} would have, or has, ${size} bytes; files over 10 MB cannot be changed here. Say in your report what to change.`;
}

function explainFailure(name: string, error: unknown): string {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
		return `${name} cannot be written: it is read-only for the user. Say in your report what to change.`;
	}
	if (code === "ENOTDIR" || code === "EEXIST") return `${name} lies below a file, not a folder. Use another path.`;
	return `${name} could not be written: ${messageOf(error)}. Nothing was changed.`;
}
