import { chooseChangePath } from "./demoChange.ts";
import type { DemoConversation } from "./demoConversation.ts";
import type { DemoFile } from "./demoFile.ts";
import type { DemoFindings, DemoListing, DemoSearch } from "./demoFindings.ts";
import { composeSummary } from "./demoSummary.ts";
import { code, codes, countOf, shorten } from "./demoText.ts";

const disclaimer = "*Written by Muster's demo model: it follows rules and does not think.*";
const mostMatches = 6;

/** The final answer: what the tools really found, what did not work, who wrote this, and a summary. */
export function composeReport(
	conversation: DemoConversation,
	findings: DemoFindings,
	offered: ReadonlySet<string>,
): string {
	const sections = [
		...describeFindings(findings, offered),
		...describeChange(conversation, findings),
		disclaimer,
		composeSummary(conversation, findings),
	];
	return sections.join("\n\n");
}

/** The answer of a plan run: the findings, then what would be written and run, in the sections that an approval covers. */
export function composePlan(
	conversation: DemoConversation,
	findings: DemoFindings,
	offered: ReadonlySet<string>,
): string {
	const path = chooseChangePath(conversation, findings);
	const hasTests = findings.files.some(({ scripts }) => scripts.includes("test"));
	const sections = [
		...describeFindings(findings, offered),
		`## Plan\n\n1. Write what was found into ${code(path)}.${hasTests ? "\n2. Run the tests." : ""}`,
		disclaimer,
		`## Files\n\n- ${code(path)}`,
		`## Commands\n\n${hasTests ? `- ${code("npm test")}` : "None."}`,
		composeSummary(conversation, findings),
	];
	return sections.join("\n\n");
}

function describeFindings(findings: DemoFindings, offered: ReadonlySet<string>): string[] {
	const { listings, files, searches, failures } = findings;
	const seen = [...listings.map(describeListing), ...files.map(describeRead)];
	const sections = [
		seen.length === 0 ? explainNothing(findings, offered) : `## What I found\n\n${seen.join("\n")}`,
		...searches.map(describeSearch),
	];
	const failed = failures.map(
		({ tool, subject, reason }) => `- ${code(`${tool} ${subject}`)}: ${shorten(reason, 200)}`,
	);
	if (failed.length > 0) sections.push(`## What did not work\n\n${failed.join("\n")}`);
	return sections;
}

function explainNothing({ failures }: DemoFindings, offered: ReadonlySet<string>): string {
	if (failures.length > 0) return "I could not look at any files; the reasons are below.";
	if (offered.size === 0) return "I was given no tools, so I could not look at any files.";
	return `I could not look at any files: I was given ${codes([...offered])}, and the demo model is offline and uses file tools only.`;
}

function describeListing({ path, folders, files }: DemoListing): string {
	const name = path === "." ? "The folder" : code(`${path}/`);
	const counts = [];
	if (folders.length > 0) counts.push(countOf(folders.length, "folder"));
	if (files.length > 0) counts.push(countOf(files.length, "file"));
	if (counts.length === 0) return `- ${name} is empty.`;
	return `- ${name} has ${counts.join(" and ")}: ${codes([...folders.map((folder) => `${folder}/`), ...files], 12)}.`;
}

function describeRead({ path, lineCount, hasMore, headings, names, todos, scripts }: DemoFile): string {
	const facts: string[] = [];
	if (headings.length > 0) facts.push(`sections ${codes(headings, 6)}`);
	if (names.length > 0) facts.push(`defines ${codes(names, 6)}`);
	if (scripts.length > 0) facts.push(`scripts ${codes(scripts, 6)}`);
	for (const { line, text } of todos.slice(0, 3)) facts.push(`line ${line} says ${code(text)}`);
	const size = `${hasMore ? "more than " : ""}${countOf(lineCount, "line")}`;
	return `- ${code(path)} (${size})${facts.length === 0 ? "" : `: ${facts.join("; ")}`}`;
}

function describeSearch({ word, matches, hasMore }: DemoSearch): string {
	const heading = `## Search for ${code(word)}`;
	if (matches.length === 0) return `${heading}\n\nNo matches.`;
	const files = new Set(matches.map(({ path }) => path)).size;
	const count = `${hasMore ? "More than " : ""}${countOf(matches.length, "match", "matches")} in ${countOf(files, "file")}`;
	const cut = matches.length > mostMatches ? `; ${mostMatches} of them` : "";
	const shown = matches.slice(0, mostMatches);
	const lines = shown.map(({ path, line, text }) => `- ${code(`${path}:${line}`)} ${code(text)}`);
	return `${heading}\n\n${count}${cut}:\n\n${lines.join("\n")}`;
}

/** What became of the one change, in all honesty. */
function describeChange({ steps }: DemoConversation, { written }: DemoFindings): string[] {
	const attempt = steps.find(({ tool }) => tool === "write_file");
	if (attempt === undefined) return [];
	const path = code(String(attempt.input["path"]));
	const outcome =
		written.length > 0
			? `I wrote ${path}: notes on what I found, not a solution.`
			: `I tried to write ${path}, but could not. Nothing was changed.`;
	return [`## Change\n\n${outcome}`];
}
