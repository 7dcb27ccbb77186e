import { isDeepStrictEqual } from "node:util";
import type { AgentDefinition } from "../agentDefinition.ts";
import { readAgentFile, type AgentReading } from "../agentFile.ts";
import { AgentFields } from "../agentFields.ts";
import type { LocalEdit } from "../agentProblem.ts";
import { rangesIn } from "../../base/textEdit.ts";
import { decodeSource } from "../decodeSource.ts";
import type { AgentDialect, AgentSource } from "./agentDialect.ts";
import { readLooseFrontmatter } from "./looseFrontmatter.ts";

type Entries = Readonly<Record<string, unknown>>;

/**
 * The edit that turns a file of another program into our format. The prompt stays byte for byte. Each entry that means the
 * same here stays as it is written; every other stays as a comment, beside what it becomes. Undefined where the result
 * would not load, or would not say the same.
 */
export async function convertAgent(
	dialect: AgentDialect,
	source: AgentSource,
	reading: AgentReading,
): Promise<LocalEdit | undefined> {
	const { agent } = await dialect.read(source, reading);
	const decoded = decodeSource(source.bytes);
	if (agent === undefined || "problem" in decoded) return undefined;
	const { text } = decoded;
	const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
	const lines = text.startsWith("---")
		? await convertFrontmatter(agent, text, reading)
		: [...fieldLines(agent, {}), ...commentExtra(agent.extra ?? {})];
	if (lines === undefined) return undefined;
	const note = `# Converted from the format of ${dialect.title}. What stands behind a # has no effect here.`;
	const head = ["---", note, ...lines, "---", ""].join(lineEnd);
	const converted = await readAgentFile(source, head + agent.prompt, reading);
	if (converted.agent?.prompt !== agent.prompt) return undefined;
	const kept = text.endsWith(agent.prompt) ? agent.prompt.length : 0;
	const newText = kept > 0 ? head : head + agent.prompt;
	return { range: rangesIn(text)(0, text.length - kept), newText };
}

async function convertFrontmatter(
	agent: AgentDefinition,
	source: string,
	{ parse }: AgentReading,
): Promise<readonly string[] | undefined> {
	const loose = await readLooseFrontmatter(source, parse);
	if ("problem" in loose) return undefined;
	const { data, body, text } = loose;
	const entries = splitEntries(text);
	const found = new Set(entries.map(({ key }) => key));
	if (Object.keys(data).some((key) => !found.has(key))) return undefined;
	const moved = (key: string) => body !== agent.prompt && String(data[key]).trim() === agent.prompt.trim();
	const converted = entries.flatMap(({ key, lines }) => {
		if (key === undefined || isKept(key, agent, data)) return lines;
		return moved(key) ? [] : [...lines.map(toComment), ...fieldLine(key, agent)];
	});
	return [...fieldLines(agent, data), ...converted];
}

interface Entry {
	/** Undefined for what stands before the first. */
	readonly key: string | undefined;
	readonly lines: string[];
}

/** The lines between the fences, by top-level entry. All of a value but its first line is indented, or a sign of YAML. */
function splitEntries(text: string): readonly Entry[] {
	const start = text.indexOf("\n") + 1;
	const entries: Entry[] = [{ key: undefined, lines: [] }];
	const lines = text.slice(start, text.indexOf("\n---", start - 1) + 1).split("\n");
	for (const line of lines.slice(0, -1).map((each) => each.replace(/\r$/u, ""))) {
		const [, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*:(?:\s|$)/u.exec(line) ?? [];
		const key = double ?? single ?? plain;
		if (key === undefined) entries.at(-1)?.lines.push(line);
		else entries.push({ key, lines: [line] });
	}
	return entries;
}

/** What our format has too and the other does not read differently is left alone. */
function isKept(key: string, agent: AgentDefinition, data: Entries): boolean {
	if (!isField(key)) return false;
	const value = valueOf(key, agent);
	return value === undefined
		? AgentFields.shape[key].safeParse(data[key]).success
		: isDeepStrictEqual(value, data[key]);
}

function toComment(line: string): string {
	return line === "" || line.startsWith("#") ? line : `# ${line}`;
}

type Field = keyof typeof AgentFields.shape;

function isField(key: string): key is Field {
	return Object.hasOwn(AgentFields.shape, key);
}

function valueOf(field: Field, agent: AgentDefinition): unknown {
	if (field === "description" && agent.description === "") return "Use when someone has to …";
	return agent[field];
}

/** Those that the file does not have under our name, except for what is so anyway. */
function fieldLines(agent: AgentDefinition, data: Entries): readonly string[] {
	return Object.keys(AgentFields.shape)
		.filter((key) => !Object.hasOwn(data, key) && !(key === "visibility" && agent.visibility === "user-facing"))
		.flatMap((key) => fieldLine(key, agent));
}

function fieldLine(key: string, agent: AgentDefinition): readonly string[] {
	const value = isField(key) ? valueOf(key, agent) : undefined;
	if (value === undefined) return [];
	return [`${key}: ${Array.isArray(value) ? `[${value.map(toYaml).join(", ")}]` : toYaml(value)}`];
}

/** JSON is YAML; plain words need no quotes. */
function toYaml(value: unknown): string {
	const isPlain =
		typeof value === "string" && /^[a-z][\w./-]*$/u.test(value) && !/^(?:true|false|null|yes|no|on|off)$/u.test(value);
	return isPlain ? value : JSON.stringify(value);
}

function commentExtra(extra: Entries): readonly string[] {
	return Object.entries(extra).map(([key, value]) => `# ${key}: ${JSON.stringify(value)}`);
}
