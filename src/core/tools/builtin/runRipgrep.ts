import { spawn } from "node:child_process";
import { LineSplitter } from "./lineSplitter.ts";

export interface Search {
	readonly pattern: string;
	/** A real path: a folder or a file. */
	readonly path: string;
	/** Globs start here. */
	readonly root: string;
	readonly glob: string | undefined;
	readonly ignoreCase: boolean;
	readonly maxHits: number;
	readonly signal: AbortSignal;
}

export interface Hit {
	readonly path: string;
	readonly line: number;
	readonly text: string;
}

export interface SearchResult {
	readonly hits: readonly Hit[];
	/** There are more; ripgrep was ended when it had found enough. */
	readonly isCutShort: boolean;
	/** What ripgrep says about a pattern or a glob that it cannot use; else empty. */
	readonly complaint: string;
}

/** Far more than a path and what ripgrep shows of a line. */
const maxOutputLine = 8_192;
const maxComplaint = 2_000;

/**
 * Runs ripgrep to its end, and kills it on abort or when it has found enough. Rejects when it cannot be started, or on
 * abort. It gets no environment, no configuration and no input, and follows no links.
 */
export function runRipgrep(ripgrepPath: string, search: Search): Promise<SearchResult> {
	const child = spawn(ripgrepPath, toArguments(search), {
		cwd: search.root,
		env: {},
		stdio: ["ignore", "pipe", "pipe"],
		signal: search.signal,
		killSignal: "SIGKILL",
		windowsHide: true,
	});
	const hits: Hit[] = [];
	const splitter = new LineSplitter(maxOutputLine);
	let complaint = "";
	let isCutShort = false;
	const collect = (lines: readonly string[]) => {
		for (const hit of lines.flatMap(parseHit)) {
			if (hits.length < search.maxHits) hits.push(hit);
			else isCutShort = true;
		}
		if (isCutShort) child.kill("SIGKILL");
	};
	return new Promise((resolve, reject) => {
		// First, because a child that could not be started for want of file handles has no streams to listen to.
		child.once("error", reject);
		child.stdout.on("data", (bytes: Buffer) => collect(splitter.push(bytes)));
		child.stderr.setEncoding("utf8");
		child.stderr.on("data", (text: string) => (complaint = `${complaint}${text}`.slice(0, maxComplaint)));
		child.once("close", () => {
			collect(splitter.end());
			resolve({ hits, isCutShort, complaint: complaint.trim() });
		});
	});
}

function toArguments({ pattern, path, glob, ignoreCase }: Search): string[] {
	return [
		"--no-config",
		"--no-follow",
		"--no-messages",
		"--color=never",
		"--no-heading",
		"--with-filename",
		"--line-number",
		"--null",
		"--crlf",
		"--max-columns=1000",
		"--max-columns-preview",
		"--hidden",
		...(glob === undefined ? [] : [`--glob=${glob}`]),
		"--glob=!**/.git",
		...(ignoreCase ? ["--ignore-case"] : []),
		`--regexp=${pattern}`,
		"--",
		path,
	];
}

/** None for what is not a hit, such as the note that a binary file matches. */
function parseHit(line: string): Hit[] {
	const [, path, number, text] = /^([^\0]+)\0(\d+):(.*)$/s.exec(line) ?? [];
	if (path === undefined || number === undefined || text === undefined) return [];
	return [{ path, line: Number(number), text }];
}
