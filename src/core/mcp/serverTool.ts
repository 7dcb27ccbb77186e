import { hashBytes } from "../base/hashBytes.ts";
import { shorten } from "../tools/shorten.ts";
import { findToolSchemaProblem } from "./checkToolSchema.ts";

const maxDescription = 2048;
const maxName = 128;
/** What can't be seen, or changes the order in which text is seen. Line ends and tabs stay in a description. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
const forbiddenNames = new Set(["__proto__", "constructor", "prototype"]);

/** One tool as the server tells of it. */
export interface ServerTool {
	/** The server's own name for it. */
	readonly name: string;
	/** Without what can't be seen, and not endless. */
	readonly description: string;
	/** As the server wrote it. */
	readonly inputSchema: Readonly<Record<string, unknown>>;
	/** What the server claims. */
	readonly isReadOnly: boolean;
	/** Of all that the server says about it. */
	readonly hash: string;
}

/** A tool that is left out, and why. The others are offered all the same. */
export interface ToolProblem {
	readonly tool: string;
	readonly reason: string;
}

export interface ToolListing {
	readonly tools: readonly ServerTool[];
	readonly problems: readonly ToolProblem[];
}

/** Reads what a server said of its tools, each by itself. Of two with one name the first is taken. */
export function readServerTools(values: readonly unknown[]): ToolListing {
	const tools = new Map<string, ServerTool>();
	const problems: ToolProblem[] = [];
	for (const value of values) {
		const read = readServerTool(value);
		if ("reason" in read) problems.push(read);
		else if (tools.has(read.name)) problems.push({ tool: read.name, reason: "the server has two tools of this name" });
		else tools.set(read.name, read);
	}
	return { tools: [...tools.values()], problems };
}

function readServerTool(value: unknown): ServerTool | ToolProblem {
	const parts: Readonly<Record<string, unknown>> = typeof value === "object" && value !== null ? { ...value } : {};
	const { name, description = "", inputSchema, annotations } = parts;
	const refuse = (reason: string): ToolProblem => ({ tool: showName(name), reason });
	if (typeof name !== "string" || name === "") return refuse("it has no name");
	if (name.length > maxName) return refuse(`its name is longer than ${maxName} characters`);
	if (name.search(hidden) !== -1 || forbiddenNames.has(name)) return refuse("its name is not allowed");
	if (typeof description !== "string") return refuse("its description is no text");
	const problem = findToolSchemaProblem(inputSchema);
	if (problem !== undefined) return refuse(problem);
	return {
		name,
		description: shorten(
			description.replaceAll(hidden, (each) => (/[\n\t]/u.test(each) ? each : "")),
			maxDescription,
		),
		inputSchema: inputSchema as ServerTool["inputSchema"],
		isReadOnly: (annotations as { readonly readOnlyHint?: unknown } | undefined | null)?.readOnlyHint === true,
		hash: hashBytes(Buffer.from(JSON.stringify([name, description, inputSchema, annotations]))),
	};
}

function showName(name: unknown): string {
	return typeof name === "string" ? shorten(name.replaceAll(hidden, "\uFFFD"), 80) : "(no name)";
}
