/**
 * A tool's name, or a call's id, from the history as a server accepts it. Models call tools that do not exist, and ids of
 * another vendor have other characters; one such call would make the whole conversation unusable.
 */
export function nameOnWire(name: string): string {
	return name.replaceAll(/[^\w-]/gu, "_").slice(0, 64) || "unknown";
}
