import type { DemoConversation } from "./demoConversation.ts";
import type { DemoFindings, DemoListing } from "./demoFindings.ts";
import { shorten } from "./demoText.ts";

/** What stands before a line of a comment, by the file's ending. */
const commentMarks: readonly (readonly [RegExp, string])[] = [
	[/\.(?:[cm]?[jt]sx?|rs|go|java|kt|swift|php|cs|c|cc|cpp|h|scss)$/u, "// "],
	[/\.(?:py|rb|sh|toml|ya?ml)$/u, "# "],
];

/** Where the demo model writes: the file that the task names, if it surely is not there yet, else one of its own for notes. */
export function chooseChangePath({ tasks }: DemoConversation, { listings }: DemoFindings): string {
	const named = tasks.flatMap(({ paths }) => paths).find((path) => isAbsent(path, listings) && !path.endsWith(".json"));
	if (named !== undefined) return named;
	const root = listings.find(({ path }) => path === ".");
	const isTaken = (name: string) => root !== undefined && holds(root, name);
	let path = "demo-notes.md";
	for (let number = 2; isTaken(path); number++) path = `demo-notes-${number}.md`;
	return path;
}

/** Whether the listings prove that there is no such file: its folder was listed without it, or is not there itself. */
function isAbsent(path: string, listings: readonly DemoListing[]): boolean {
	const name = path.slice(path.lastIndexOf("/") + 1);
	const folder = path.slice(0, Math.max(0, path.length - name.length - 1)) || ".";
	const [top = path] = path.split("/", 1);
	const listing = listings.find((each) => each.path === folder);
	if (folder === ".") return listing !== undefined && !listings.some((each) => each.hasMore || holds(each, name));
	if (listing !== undefined) return !listing.hasMore && !holds(listing, name);
	const root = listings.find((each) => each.path === ".");
	return root !== undefined && !root.hasMore && !holds(root, top);
}

/** Case does not count, because on some disks it does not. */
function holds({ folders, files }: DemoListing, name: string): boolean {
	return [...folders, ...files].some((other) => other.toLowerCase() === name.toLowerCase());
}

/** What it writes there: no pretended solution, only what was asked and what was looked at. */
export function composeChange(path: string, { tasks }: DemoConversation, { files, searches }: DemoFindings): string {
	const mark = commentMarks.find(([ending]) => ending.test(path))?.[1];
	const lines = [
		"Notes by Muster's demo model, which follows rules and does not think.",
		`Task: ${shorten(tasks[0].text.replaceAll(/\s+/gu, " "), 300)}`,
		...files.map(({ path: read, lineCount }) => `Read: ${read} (${lineCount} lines)`),
		...searches.map(({ word, matches }) => `Searched: ${word} (${matches.length} matches)`),
	];
	if (mark !== undefined) return lines.map((line) => `${mark}${line}\n`).join("");
	return `# Notes\n\n${lines.map((line) => `- ${line}\n`).join("")}`;
}
