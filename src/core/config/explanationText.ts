import type { ConfigProblem } from "./configProblem.ts";
import type { ExplainedValue, Explanation } from "./explainConfig.ts";
import { layerNames, type Provenance, type Source } from "./provenance.ts";
import { findSecretOwner } from "./secretOwner.ts";
import { isTable } from "./withholdSecrets.ts";

/**
 * An explanation as people read it. With a name, only what has that name: in full, such as `mcp_servers.context7`, or its
 * last part. Characters that can't be seen are spelled out.
 */
export function toExplanationText(explanation: Explanation, name?: string): string {
	const isMeant = (full: string) => isNamed(full, name);
	const values = explanation.values.filter((value) => isMeant(value.name));
	const skipped = explanation.skipped.filter((item) => isMeant(item.name));
	const groups = [...new Set(values.map(({ group }) => group))];
	const files = new Set([...values, ...skipped.map(({ source }) => source)].map(({ file }) => file));
	const problems = explanation.problems.filter(({ file }) => name === undefined || files.has(file));
	if (name !== undefined && values.length + skipped.length === 0) return `Nothing here is called "${name}".\n`;
	const sections = [
		name === undefined ? section("Layers, the highest first", explanation.layers.map(describeLayer)) : "",
		...groups.map((group) => section(group, values.filter((value) => value.group === group).map(describeValue))),
		section(
			"Not used",
			skipped.map(({ name: what, source, reason }) => `${what}\n    ${at(source)}: ${reason}`),
		),
		section("Problems", problems.map(describeProblem)),
	];
	return showHidden(sections.filter((text) => text !== "").join("\n"));
}

/** Whether it has this name: in full, or as its last part. Without a name, everything has. */
export function isNamed(full: string, name: string | undefined): boolean {
	return name === undefined || full === name || full.endsWith(`.${name}`);
}

function section(title: string, items: readonly string[]): string {
	return items.length === 0 ? "" : `${title}\n${items.map((item) => `  ${item}\n`).join("")}`;
}

function describeLayer({ layer, path, note }: Explanation["layers"][number]): string {
	return `${layer}  ${path}${note === undefined ? "" : ` (${note})`}`;
}

function describeValue(value: ExplainedValue): string {
	const shown = value.value === "agent" || value.value === "skill" ? "" : ` = ${summarize(value.value)}`;
	const changes = Object.entries(value.changes ?? {}).map(
		([field, change]) => `${field} from ${describeSource(change)}`,
	);
	return [`${value.name}${shown}`, `from ${describeSource(value)}`, ...changes].join("\n    ");
}

function describeSource(provenance: Provenance): string {
	const shadows = provenance.shadows.filter(({ layer }) => layer !== "builtIn");
	const instead = shadows.length === 0 ? "" : `; instead of ${shadows.map(at).join(", ")}`;
	return `${at(provenance)}${instead} (${provenance.reason})`;
}

function at({ layer, file, line }: Source): string {
	if (file === undefined) return layerNames[layer];
	return `${layer}  ${file}${line === undefined ? "" : `:${line}`}`;
}

function describeProblem({ severity, code, message, file, line, column, remedies = [] }: ConfigProblem): string {
	const place = [file, line, column].filter((part) => part !== undefined).join(":");
	const canMove = remedies.some((remedy) => remedy.kind === "moveToSecretStorage" && findSecretOwner(remedy.path));
	const fix = canMove ? "\n    In VS Code, run “Muster: Move Secret to Secret Storage…”." : "";
	return `${place}: ${severity}: ${message} [${code}]${fix}`;
}

function summarize(value: unknown): string {
	if (!isTable(value)) return JSON.stringify(value);
	const fields = Object.entries(value).map(([key, part]) => `${key} ${JSON.stringify(part)}`);
	return fields.join(", ");
}

function showHidden(text: string): string {
	return text.replaceAll(/[^\P{C}\n]/gu, (sign) => {
		const code = sign.codePointAt(0) ?? 0;
		return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
	});
}
