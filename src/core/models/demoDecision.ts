import { chooseChangePath, composeChange } from "./demoChange.ts";
import { type DemoConversation, readConversation } from "./demoConversation.ts";
import { collectFindings, type DemoFindings } from "./demoFindings.ts";
import { composePlan, composeReport } from "./demoReport.ts";
import { chooseFiles, chooseFolder, chooseSources } from "./demoSelection.ts";
import { code, listOf } from "./demoText.ts";
import type { DemoCall, DemoTurn } from "./demoTurn.ts";
import type { ModelRequest } from "./modelPort.ts";

/** However a task goes on, it ends. */
const mostToolTurns = 8;

interface Situation {
	readonly conversation: DemoConversation;
	readonly findings: DemoFindings;
	/** The names of the tools that there are. */
	readonly offered: ReadonlySet<string>;
}

/**
 * What the demo model answers. It looks around, reads what the task names or what tells most, searches for the task's
 * most telling word, follows into the sources, and reports. No call is made twice, so that no failure is repeated.
 */
export function decideTurn(request: ModelRequest): DemoTurn {
	const conversation = readConversation(request);
	const findings = collectFindings(conversation.steps);
	const situation = { conversation, findings, offered: new Set(request.tools.map(({ name }) => name)) };
	const calls = chooseCalls(situation);
	if (calls.length > 0) return { text: announce(calls, conversation.turn), calls };
	const compose = conversation.isPlan ? composePlan : composeReport;
	return { text: compose(conversation, findings, situation.offered) };
}

function chooseCalls(situation: Situation): readonly DemoCall[] {
	const { conversation, offered } = situation;
	// Without any tool only the report is wanted.
	if (offered.size === 0 || conversation.turn >= mostToolTurns) return [];
	const made = new Set(conversation.steps.map(({ tool, input }) => keyOf(tool, input)));
	for (const propose of [lookAround, readWhatTells, followIntoSources]) {
		const calls = propose(situation).filter(({ tool, input }) => offered.has(tool) && !made.has(keyOf(tool, input)));
		if (calls.length > 0) return calls;
	}
	return makeChange(situation);
}

function keyOf(tool: string, input: unknown): string {
	return `${tool} ${JSON.stringify(input)}`;
}

function lookAround(): DemoCall[] {
	return [{ tool: "list_dir", input: { path: "." } }];
}

function readWhatTells({ conversation, findings, offered }: Situation): DemoCall[] {
	// When the folder can't even be listed, only what the task names is worth a try.
	const isBlind = offered.has("list_dir") && findings.listings.length === 0;
	const folder = chooseFolder(conversation, findings);
	return [
		...chooseFiles(conversation, findings, isBlind ? [] : ["README.md", "package.json"]).map(read),
		...(folder === undefined ? [] : [{ tool: "list_dir", input: { path: folder } }]),
		...(isBlind ? [] : conversation.tasks.flatMap(({ words }) => words.slice(0, 1)).map(search)),
	];
}

function followIntoSources({ conversation, findings }: Situation): DemoCall[] {
	const empty = new Set(findings.searches.filter(({ matches }) => matches.length === 0).map(({ word }) => word));
	const second = conversation.tasks.flatMap(({ words: [first, next] }) =>
		first !== undefined && next !== undefined && empty.has(escape(first)) ? [next] : [],
	);
	return [...chooseSources(conversation, findings).map(read), ...second.map(search)];
}

/** The one change of a task; also when the tool is not there, because a model that believes in it would try. */
function makeChange({ conversation, findings, offered }: Situation): DemoCall[] {
	const { isPlan, isApproved, tasks, steps } = conversation;
	if (isPlan || !(isApproved || tasks.some(({ wantsChange }) => wantsChange))) return [];
	if (steps.some(({ tool }) => tool === "write_file")) return [];
	const path = chooseChangePath(conversation, findings);
	const write = { tool: "write_file", input: { path, content: composeChange(path, conversation, findings) } };
	const hasTests = findings.files.some(({ scripts }) => scripts.includes("test"));
	const test = { tool: "shell", input: { command: "npm test" } };
	return isApproved && hasTests && offered.has("shell") ? [write, test] : [write];
}

function read(path: string): DemoCall {
	return { tool: "read_file", input: { path } };
}

function search(word: string): DemoCall {
	return { tool: "grep", input: { pattern: escape(word), ignoreCase: true, glob: "!.agents/**" } };
}

/** A word as a regular expression that means just this word. */
function escape(word: string): string {
	return word.replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&");
}

function announce(calls: readonly DemoCall[], turn: number): string {
	const subjects = (tool: string, field: string) => {
		const values = calls.filter((call) => call.tool === tool).map(({ input }) => String(Object(input)[field]));
		return values.map((value) => (value === "." ? "the folder" : code(value)));
	};
	const phrases = [
		["look at", subjects("list_dir", "path")],
		["read", subjects("read_file", "path")],
		["search for", subjects("grep", "pattern")],
		["write", subjects("write_file", "path")],
		["run", subjects("shell", "command")],
	] as const;
	const parts = phrases.flatMap(([verb, objects]) => (objects.length === 0 ? [] : [`${verb} ${listOf(objects)}`]));
	return `${turn === 0 ? "First I" : "Next I"} ${listOf(parts)}.`;
}
