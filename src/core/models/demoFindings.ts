import type { DemoStep } from "./demoConversation.ts";
import { type DemoFile, describeFile, isProgramPath } from "./demoFile.ts";

export interface DemoListing {
	/** `.` for the workspace folder. */
	readonly path: string;
	readonly folders: readonly string[];
	readonly files: readonly string[];
	readonly hasMore: boolean;
}

export interface DemoSearch {
	readonly word: string;
	/** Those in the program itself first. */
	readonly matches: readonly DemoMatch[];
	readonly hasMore: boolean;
}

export interface DemoMatch {
	readonly path: string;
	readonly line: number;
	readonly text: string;
}

export interface DemoFailure {
	readonly tool: string;
	readonly subject: string;
	readonly reason: string;
}

/** What the tools really said, by kind. */
export interface DemoFindings {
	readonly listings: readonly DemoListing[];
	readonly files: readonly DemoFile[];
	readonly searches: readonly DemoSearch[];
	/** Paths that were written. */
	readonly written: readonly string[];
	readonly failures: readonly DemoFailure[];
}

/** Tools say in brackets, on a line of its own, that they did not show all. */
const note = /^\[.*\]$/u;

export function collectFindings(steps: readonly DemoStep[]): DemoFindings {
	const done = (tool: string) => steps.filter((step) => step.tool === tool && !step.isError);
	return {
		listings: done("list_dir").map(({ input, text }) => ({ path: asText(input["path"]), ...readListing(text) })),
		files: done("read_file").map(({ input, text }) => describeFile(asText(input["path"]), text)),
		searches: done("grep").map(({ input, text }) => ({ word: asText(input["pattern"]), ...readMatches(text) })),
		written: done("write_file").map(({ input }) => asText(input["path"])),
		failures: steps.filter(({ isError }) => isError).map(describeFailure),
	};
}

function describeFailure({ tool, input, text }: DemoStep): DemoFailure {
	const subject = asText(input["path"] ?? input["pattern"] ?? input["command"]);
	return { tool, subject, reason: text.trim().split("\n", 1)[0] ?? "" };
}

/** One entry a line: folders end in a slash, files have their size in parentheses, links say where they lead. */
function readListing(text: string): Omit<DemoListing, "path"> {
	const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.endsWith(" is an empty folder."));
	const entries = lines.filter((line) => !note.test(line)).map((line) => line.replace(/ \([^()]*\)$| -> .*$/u, ""));
	return {
		folders: entries.filter((name) => name.endsWith("/")).map((name) => name.slice(0, -1)),
		files: entries.filter((name) => !name.endsWith("/")),
		hasMore: lines.some((line) => note.test(line)),
	};
}

function readMatches(text: string): Pick<DemoSearch, "matches" | "hasMore"> {
	const lines = text.split("\n");
	const matches = lines.flatMap((line) => {
		const [, path, number, found] = /^(.+?):(\d+):(.*)$/u.exec(line) ?? [];
		return path === undefined ? [] : [{ path, line: Number(number), text: (found ?? "").trim() }];
	});
	const programFirst = matches.toSorted(
		(one, other) => Number(isProgramPath(other.path)) - Number(isProgramPath(one.path)),
	);
	return { matches: programFirst, hasMore: lines.some((line) => note.test(line)) };
}

function asText(value: unknown): string {
	return typeof value === "string" ? value : "";
}
