import type { Approval } from "../runs/approval.ts";
import { textAfterEdit } from "../tools/builtin/editFile.ts";
import { showExactly } from "../base/showExactly.ts";

/** The whole question to the byte, as a document: who asks, why, what would happen. What cannot be seen is named. */
export function renderQuestion(approval: Approval): string {
	const { agentPath, tool, why, subject, input, offers } = approval;
	const wide = offers.map(({ scope, rules }) => `  for this ${scope}: ${rules.join(", ")}`);
	return [
		`Agent:  ${agentPath}`,
		`Tool:   ${tool}`,
		`Why:    ${why}`,
		`About:  ${showExactly(subject)}`,
		...(wide.length > 0 ? ["", "A wider answer would store these rules:", ...wide.map(showExactly)] : []),
		"",
		"The whole call:",
		"",
		...fieldsOf(input).flatMap(([name, value]) => [`${name}:`, ...indent(showExactly(value)), ""]),
	].join("\n");
}

/** What the file would hold, for a diff. Undefined when the call is no edit, or does not fit the text any more. */
export function textAfterCall({ tool, input }: Pick<Approval, "tool" | "input">, current: string): string | undefined {
	const value = JSON.parse(input) as unknown;
	if (tool === "edit_file") return textAfterEdit(value, current);
	const isWrite = tool === "write_file" && typeof value === "object" && value !== null && "content" in value;
	return isWrite && typeof value.content === "string" ? value.content : undefined;
}

function fieldsOf(input: string): [name: string, value: string][] {
	const value = JSON.parse(input) as unknown;
	if (typeof value !== "object" || value === null) return [["input", input]];
	return Object.entries(value).map(([name, field]) => [
		showExactly(name),
		typeof field === "string" ? field : JSON.stringify(field, null, 2),
	]);
}

function indent(text: string): string[] {
	return text.split("\n").map((line) => `    ${line}`);
}
