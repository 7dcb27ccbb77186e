type Rule = readonly [pattern: RegExp, problem: string];

const maxPathBytes = 4_096;

const rules: readonly Rule[] = [
	[/[\p{Cc}\p{Cs}]/u, "contains a control character"],
	// Opening a network path sends credentials to its host, so these are refused before anything touches the disk.
	[/^[\\/]{2}/, "is a network or device path"],
	[/^~/, 'starts with "~", which is not expanded here'],
	[/^[a-z][a-z0-9+.-]+:\/\/|^file:/i, "is a URI, not a path"],
	[/^[a-z]:(?![\\/])/i, "is relative to a drive"],
];

/** On Windows each of these names something else than it seems to: a stream, a device, or another spelling of a file. */
const windowsRules: readonly Rule[] = [
	[/^.{2,}:/s, 'contains ":"'],
	[/[<>"|?*]/, "contains a character that Windows does not allow in names"],
	[/(?:^|[\\/])(?!\.{1,2}(?:[\\/]|$))[^\\/]*[. ](?:[\\/]|$)/, "has a name that ends in a dot or a space"],
	[/~\d/, "has a shortened (8.3) name"],
	[/(?:^|[\\/])(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.[^\\/]*)?(?:[\\/]|$)/i, "has a name that Windows reserves"],
];

/**
 * What is wrong with a path by its spelling alone, as the rest of a sentence about it, or `undefined`.
 * Where it leads is for `resolveInside` to find out.
 */
export function findPathSyntaxProblem(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
	if (Buffer.byteLength(path) > maxPathBytes) return `is longer than ${maxPathBytes} bytes`;
	const broken = [...rules, ...(platform === "win32" ? windowsRules : [])].find(([pattern]) => pattern.test(path));
	return broken?.[1];
}
