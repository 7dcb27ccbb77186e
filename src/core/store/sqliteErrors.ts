import { messageOf, type Problem } from "../base/errors.ts";

const busy = 5;
const corrupt = 11;
const notDatabase = 26;

/** What went wrong, by SQLite's primary result code (extended codes carry it in their low byte) or by the system's. */
const explanations: Readonly<Record<string | number, string>> = {
	[busy]:
		"Muster's database is in use by another process that does not let go. Close other windows on this folder and try again.",
	8: "Muster's data folder cannot be written. Check its permissions, or choose another with the setting muster.dataDir.",
	10: "The disk reported a fault while Muster saved. Check the disk that holds Muster's data folder.",
	[corrupt]:
		"Muster's database is damaged. It has been left as it is. Close every window on this folder and open one again: it is then set aside if it cannot be opened.",
	13: "The disk is full, so Muster could not save. Nothing that was saved is lost; free some space and try again.",
};
const sameAs: Readonly<Record<string | number, number>> = {
	14: 8,
	[notDatabase]: corrupt,
	EACCES: 8,
	EPERM: 8,
	EROFS: 8,
	ENOTDIR: 8,
	EIO: 10,
	ENOSPC: 13,
};

export function isBusy(error: unknown): boolean {
	return codeOf(error) === busy;
}

/** Whether SQLite itself says that the file is none of its own, or broken. */
export function isDamage(error: unknown): boolean {
	const code = codeOf(error);
	return code === corrupt || code === notDatabase;
}

/** What a person reads when the database, or the folder that holds it, refuses. */
export function storeProblem(file: string, error: unknown): Problem {
	const code = codeOf(error) ?? "";
	const explanation = explanations[sameAs[code] ?? code] ?? "Muster could not read or write its database.";
	return { code: "store.failed", message: `${explanation} (${file}: ${messageOf(error)})` };
}

function codeOf(error: unknown): string | number | undefined {
	if (!(error instanceof Error)) return undefined;
	if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
	return "code" in error && typeof error.code === "string" ? error.code : undefined;
}
