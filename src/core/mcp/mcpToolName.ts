import { hashBytes } from "../base/hashBytes.ts";

/** What providers take at most. */
const maxLength = 64;
const keptLength = 55;

/** The name of a server's tool as models see it. Two tools may get the same; who lists them leaves the second out. */
export function mcpToolName(server: string, tool: string): string {
	const name = `mcp__${server}__${tool}`.replaceAll(/[^\w-]/gu, "_");
	if (name.length <= maxLength) return name;
	return `${name.slice(0, keptLength)}_${hashBytes(Buffer.from(`${server}\0${tool}`)).slice(0, 8)}`;
}
