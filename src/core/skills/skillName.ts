const longestName = 64;

/** What the Agent Skills format holds against a name, as the rest of a sentence about it, or `undefined`. */
export function findNameProblem(name: string): string | undefined {
	if (name === "") return "is empty";
	if (name.length > longestName) return `is longer than ${longestName} characters`;
	if (!/^[a-z0-9-]+$/u.test(name)) return "may have only lower-case letters a to z, digits and hyphens";
	if (name.startsWith("-") || name.endsWith("-")) return "must not begin or end with a hyphen";
	if (name.includes("--")) return "must not have two hyphens in a row";
	return isReserved(name) ? "is reserved by Windows" : undefined;
}

/**
 * Why a folder of this name can't be a skill, as the rest of a sentence about it, or `undefined`. Far more lenient than
 * the format: it refuses only what is not the same name on every system, or does not look like what it is.
 */
export function findFolderNameProblem(name: string): string | undefined {
	if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return "has characters that can't be seen";
	if (/[\\/:*?"<>|]/u.test(name)) return "has a character that not every system allows in names";
	if (name === "" || /^ |[. ]$/u.test(name)) return "begins or ends in a way that not every system keeps";
	return isReserved(name) ? "is reserved by Windows" : undefined;
}

function isReserved(name: string): boolean {
	return /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/iu.test(name);
}
