import { formatCount, formatDuration } from "../base/format.ts";
import { titleOf, type Run } from "../runs/run.ts";
import type { Entry } from "./entry.ts";

/**
 * A transcript as a Markdown document. What models and tools said is shown as theirs: images do not load and raw HTML stays
 * text, so that opening a preview of it sends nothing anywhere.
 */
export function renderTranscript(run: Run, entries: readonly Entry[]): string {
	const parts = [renderHeader(run)];
	let previous: Entry | undefined;
	for (const entry of entries) {
		if (entry.kind === "replay") continue;
		const continues = previous?.kind === entry.kind && previous.turn === entry.turn && isStreamed(entry);
		if (continues) parts[parts.length - 1] += defuse(entry.text);
		else parts.push(renderEntry(entry));
		previous = entry;
	}
	return `${parts.join("\n\n")}\n`;
}

function isStreamed(entry: Entry): boolean {
	return entry.kind === "text" || entry.kind === "reasoning";
}

function renderHeader(run: Run): string {
	const facts = [
		`- Agent: ${run.agentId}`,
		`- Model: ${run.model}${run.model.startsWith("demo/") ? " (Demo: follows rules, does not think)" : ""}`,
		`- State: ${run.state}`,
		`- Session: \`${run.sessionKey}\``,
	];
	if (run.startedAt !== null && run.endedAt !== null) {
		const { inputTokens, outputTokens, usd, estimated } = run.usage;
		const tokens = `${formatCount(inputTokens)} in / ${formatCount(outputTokens)} out${estimated ? " (estimated)" : ""}`;
		facts.push(
			`- Took: ${formatDuration(run.endedAt - run.startedAt)}, ${tokens}, ${usd === null ? "cost unknown" : `$${usd.toFixed(2)}`}`,
		);
	}
	if (run.error !== null) facts.push(`- Error: ${defuse(run.error)}`);
	return `# ${defuse(titleOf(run))}\n\n${facts.join("\n")}`;
}

function renderEntry(entry: Entry): string {
	switch (entry.kind) {
		case "user":
			return `## Task\n\n${defuse(entry.text)}`;
		case "text":
			return `## Agent\n\n${defuse(entry.text)}`;
		case "reasoning":
			return `## Thinking\n\n${defuse(entry.text)}`;
		case "tool_call":
			return `### → ${entry.toolName}\n\n${code(entry.text)}`;
		case "tool_result":
			return `### ← ${entry.toolName}${entry.isError ? " (refused or failed)" : ""}\n\n${fence(entry.text, "text")}`;
		case "announcement":
			return `## Announced\n\n${fence(entry.text, "text")}`;
		case "notice":
		case "replay":
			return `> ${defuse(entry.text).replaceAll("\n", "\n> ")}`;
	}
}

/** A call's input: on the line where it fits, else as a block. */
function code(json: string): string {
	return json.length > 200 || json.includes("`") ? fence(json, "json") : `\`${json}\``;
}

/** A code block that its content cannot close. */
function fence(text: string, language: string): string {
	const longest = Math.max(2, ...Array.from(text.matchAll(/`+/gu), ([ticks]) => ticks.length));
	const ticks = "`".repeat(longest + 1);
	return `${ticks}${language}\n${text}\n${ticks}`;
}

function defuse(text: string): string {
	return text.replaceAll("![", "!\\[").replaceAll(/<(?=[a-z!/?])/giu, "\\<");
}
