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

/** Searches the text of files. */
export async function runRipgrep(ripgrepPath: string, search: Search): Promise<SearchResult> {
	const hits: Hit[] = [];
	const { isCutShort, complaint } = await run(ripgrepPath, toArguments(search), search, (line) => {
		const [hit] = parseHit(line);
		if (hit === undefined) return true;
		if (hits.length === search.maxHits) return false;
		hits.push(hit);
		return true;
	});
	return { hits, isCutShort, complaint };
}

export interface Listing {
	/** A real path: a folder or a file. */
	readonly path: string;
	/** Globs start here. */
	readonly root: string;
	readonly glob: string;
	readonly maxFiles: number;
	readonly signal: AbortSignal;
}

export interface ListingResult {
	readonly paths: readonly string[];
	readonly isCutShort: boolean;
	readonly complaint: string;
}

/** Lists the files whose path fits a glob, with the same files left out as in a search. */
export async function listWithRipgrep(ripgrepPath: string, listing: Listing): Promise<ListingResult> {
	const paths: string[] = [];
	const args = [...common, "--files", "--null", `--glob=${listing.glob}`, "--glob=!**/.git", "--", listing.path];
	const { isCutShort, complaint } = await run(ripgrepPath, args, { ...listing, separator: "\0" }, (path) => {
		if (paths.length === listing.maxFiles) return false;
		paths.push(path);
		return true;
	});
	return { paths, isCutShort, complaint };
}

interface RunOptions {
	readonly root: string;
	readonly signal: AbortSignal;
	readonly separator?: "\n" | "\0";
}

/**
 * Runs ripgrep to its end, and kills it on abort or when `take` wants no more. Rejects when it cannot be started, or on
 * abort. It gets no environment, no configuration and no input, and follows no links.
 */
function run(
	ripgrepPath: string,
	args: readonly string[],
	{ root, signal, separator = "\n" }: RunOptions,
	take: (line: string) => boolean,
): Promise<{ isCutShort: boolean; complaint: string }> {
	const child = spawn(ripgrepPath, args, {
		cwd: root,
		env: {},
		stdio: ["ignore", "pipe", "pipe"],
		signal,
		killSignal: "SIGKILL",
		windowsHide: true,
	});
	const splitter = new LineSplitter(maxOutputLine, separator);
	let complaint = "";
	let isCutShort = false;
	const collect = (lines: readonly string[]) => {
		isCutShort ||= !lines.every((line) => take(line));
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
			resolve({ isCutShort, complaint: complaint.trim() });
		});
	});
}

const common = ["--no-config", "--no-follow", "--no-messages", "--color=never", "--hidden"];

function toArguments({ pattern, path, glob, ignoreCase }: Search): string[] {
	return [
		...common,
		"--no-heading",
		"--with-filename",
		"--line-number",
		"--null",
		"--crlf",
		"--max-columns=1000",
		"--max-columns-preview",
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
