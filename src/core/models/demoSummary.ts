import { chooseChangePath } from "./demoChange.ts";
import type { DemoConversation } from "./demoConversation.ts";
import type { DemoFindings } from "./demoFindings.ts";
import { countOf, listOf, shorten } from "./demoText.ts";

/** What the parent reads may have this many characters. */
const most = 200;

/** The last line of an answer. Without code spans: at the end of a plan they would count as commands. */
export function composeSummary(conversation: DemoConversation, findings: DemoFindings): string {
	const facts = [...describeOutcome(conversation, findings), ...describeWork(findings)];
	const text = facts.length === 0 ? "There was nothing to look at." : `${facts.join("; ")}.`;
	return `SUMMARY: ${shorten(text.replaceAll(/[\p{Cc}\s]+/gu, " ").replaceAll("`", "'"), most)}`;
}

function describeOutcome(conversation: DemoConversation, findings: DemoFindings): string[] {
	if (conversation.isPlan) return [`Plan: write ${chooseChangePath(conversation, findings)}`];
	if (findings.written.length > 0) return [`Wrote ${listOf(findings.written)}`];
	return conversation.steps.some(({ tool }) => tool === "write_file") ? ["Nothing was changed"] : [];
}

function describeWork({ listings, files, searches, failures }: DemoFindings): string[] {
	const facts: string[] = [];
	const fruitful = searches.filter(({ matches }) => matches.length > 0);
	for (const { word, matches } of fruitful.length > 0 ? fruitful : searches) {
		const [first] = matches;
		const where = first === undefined ? "" : `, first at ${first.path}:${first.line}`;
		facts.push(`${countOf(matches.length, "match", "matches")} for ${word}${where}`);
	}
	const todos = files.flatMap(({ path, todos: found }) => found.map(({ line }) => `${path}:${line}`));
	if (todos.length > 0) facts.push(`open work at ${listOf(todos, 2)}`);
	const read = files.map(({ path }) => path);
	if (read.length > 0) facts.push(`read ${listOf(read, 4)}`);
	else if (listings.length > 0)
		facts.push(`listed ${listOf(listings.map(({ path }) => (path === "." ? "the folder" : path)))}`);
	const [failure] = failures;
	if (facts.length === 0 && failure !== undefined) facts.push(failure.reason.replace(/\.$/u, ""));
	return facts;
}
