import type { AgentDefinition } from "../agentDefinition.ts";
import type { ForeignFields } from "./foreignFields.ts";

type ModelReference = NonNullable<AgentDefinition["model"]>;

/** Claude Code's names for the newest model of a family. They float there; here they are what they meant last. */
const claudeFamilies: Readonly<Record<string, string>> = {
	sonnet: "claude-sonnet-5-5",
	opus: "claude-opus-5-5",
	haiku: "claude-haiku-5-5",
	fable: "claude-fable-5-1",
};

/** Names whose maker is plain. */
const makers: readonly (readonly [RegExp, string])[] = [
	[/^claude-/u, "anthropic"],
	[/^(?:gpt-|chatgpt-|codex-|o\d)/u, "openai"],
	[/^gemini-/u, "google"],
	[/^(?:mistral|magistral|ministral|codestral|devstral)-/u, "mistral"],
];

const parentsModel: ReadonlySet<string> = new Set(["inherit", "default", "auto"]);

/** The reference for a model as other programs name it; undefined when it can't be told whose it is. */
export function toModelReference(name: string): ModelReference | undefined {
	const plain = name.trim().replace(/\[.*\]$/u, "");
	if (/^[a-z0-9][a-z0-9_.-]*\/\S+$/u.test(plain)) return plain as ModelReference;
	const id = Object.hasOwn(claudeFamilies, plain) ? claudeFamilies[plain] : plain;
	const [, maker] = makers.find(([pattern]) => pattern.test(id ?? "")) ?? [];
	return maker === undefined || /\s/u.test(plain) ? undefined : `${maker}/${id}`;
}

/** The model that a foreign file asks for, if any. One that can't be told is kept as it is, with a warning. */
export function readModel(
	fields: ForeignFields,
	key: string,
	toReference: (name: string) => ModelReference | undefined = toModelReference,
): Pick<AgentDefinition, "model"> {
	const name = fields.text(key);
	if (name === undefined || parentsModel.has(name.toLowerCase())) return {};
	const model = toReference(name);
	if (model !== undefined) return { model };
	const message = `It is not known whose model "${name}" is, so the agent runs on the model of its parent.`;
	fields.warn("agent.unknownModel", key, message);
	return {};
}

const efforts: Readonly<Record<string, NonNullable<AgentDefinition["thinking"]>>> = {
	minimal: "low",
	low: "low",
	medium: "medium",
	high: "high",
	xhigh: "high",
	max: "high",
};

/** How long the model thinks. Others have more levels; ours are three. */
export function readThinking(fields: ForeignFields, key: string): Pick<AgentDefinition, "thinking"> {
	const effort = fields.text(key)?.toLowerCase();
	if (effort === undefined || effort === "none" || parentsModel.has(effort)) return {};
	const thinking = Object.hasOwn(efforts, effort) ? efforts[effort] : undefined;
	if (thinking !== undefined) return { thinking };
	fields.warn("agent.field", key, `"${key}" should be one of ${Object.keys(efforts).join(", ")}, and has no effect.`);
	return {};
}
