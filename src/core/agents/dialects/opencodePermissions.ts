import type { AgentVocabulary } from "../agentVocabulary.ts";
import { isRecord } from "../fieldProblem.ts";
import type { ForeignAgent } from "./foreignAgent.ts";
import { describeNoTools, type ForeignFields } from "./foreignFields.ts";
import { mapTool, type ToolTable } from "./foreignTools.ts";

/** One rule; the last that fits decides. */
interface Rule {
	readonly action: string;
	readonly resource: string;
	readonly effect: string;
	/** Where it stands. */
	readonly key: string;
}

/** What OpenCode's permissions govern. One of them covers every change of a file. */
const ownTools: ToolTable = {
	read: ["read_file"],
	edit: ["edit_file", "write_file"],
	glob: ["glob"],
	grep: ["grep"],
	list: ["list_dir"],
	bash: ["shell", "shell_start", "shell_status", "shell_kill"],
	shell: ["shell", "shell_start", "shell_status", "shell_kill"],
	webfetch: ["web_fetch"],
	websearch: ["web_search"],
	todowrite: ["todo"],
	todoread: ["todo"],
	task: ["sessions_spawn"],
	subagent: ["sessions_spawn"],
	lsp: ["symbols", "diagnostics"],
	skill: ["skill"],
	question: [],
	external_directory: [],
	doom_loop: [],
};

/**
 * Tools that an agent of OpenCode has or must not have, from `tools` and `permission` of version 1 and `permissions` of
 * version 2. What is denied or asked for as a whole is kept: `allow` is for the user to say, and patterns wait in `extra`.
 * Where everything is denied first, what is left is a list of tools.
 */
export function readOpencodeTools(
	fields: ForeignFields,
	vocabulary: AgentVocabulary,
): Pick<ForeignAgent, "tools" | "disallowedTools" | "askedTools"> {
	const rules = readRules(fields);
	tellPatterns(fields, rules);
	const whole = rules.filter(({ resource }) => resource === "*");
	if (fields.has("tools") && !isRecord(fields.data["tools"])) {
		return { ...fields.tools("tools", ownTools), ...deny(whole, vocabulary), ...ask(whole) };
	}
	if (effectOf("*", whole) === "deny") return { ...allowOnly(fields, whole, vocabulary), ...ask(whole) };
	tellUnknown(fields, whole, vocabulary);
	return { ...deny(whole, vocabulary), ...ask(whole) };
}

function readRules(fields: ForeignFields): readonly Rule[] {
	const { tools, permission, permissions } = fields.data;
	const switches = isRecord(tools)
		? Object.entries(tools).map(([name, isOn]) => ({
				action: /^(?:write|patch)$/u.test(name) ? "edit" : name,
				resource: "*",
				effect: isOn === false ? "deny" : "allow",
				key: "tools",
			}))
		: [];
	const shortForm = typeof permission === "string" ? { "*": permission } : permission;
	const first = isRecord(shortForm)
		? Object.entries(shortForm).flatMap(([action, rule]) =>
				Object.entries(isRecord(rule) ? rule : { "*": rule }).map(([resource, effect]) => ({
					action,
					resource,
					effect: textOf(effect),
					key: "permission",
				})),
			)
		: [];
	const second = (Array.isArray(permissions) ? permissions : []).filter(isRecord).map((rule) => ({
		action: textOf(rule["action"]),
		resource: textOf(rule["resource"] ?? "*"),
		effect: textOf(rule["effect"]),
		key: "permissions",
	}));
	return [...switches, ...first, ...second];
}

/** What is no text is no rule that anybody could mean. */
function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

function effectOf(action: string, rules: readonly Rule[]): string | undefined {
	return rules.findLast((rule) => rule.action === action || rule.action === "*")?.effect;
}

function deny(rules: readonly Rule[], vocabulary: AgentVocabulary): Pick<ForeignAgent, "disallowedTools"> {
	const actions = [...new Set(rules.map(({ action }) => action))].filter((action) => action !== "*");
	const denied = actions
		.filter((action) => effectOf(action, rules) === "deny")
		.flatMap((action) => {
			const tool = mapTool(action, ownTools, vocabulary);
			return tool.kind === "ours" ? tool.names : tool.kind === "theirs" ? [] : [action];
		});
	return denied.length === 0 ? {} : { disallowedTools: [...new Set(denied)] };
}

/** The tools whose rules hold for all that change files, run commands or reach the web. What only looks is not asked for. */
const askable = { edit: "edit_file", bash: "shell", shell: "shell", webfetch: "web_fetch", websearch: "web_search" };

function ask(rules: readonly Rule[]): Pick<ForeignAgent, "askedTools"> {
	const asked = Object.entries(askable).filter(([action]) => effectOf(action, rules) === "ask");
	return asked.length === 0 ? {} : { askedTools: [...new Set(asked.map(([, tool]) => tool))] };
}

function allowOnly(
	fields: ForeignFields,
	rules: readonly Rule[],
	vocabulary: AgentVocabulary,
): Pick<ForeignAgent, "tools"> {
	const allowed = [...new Set(rules.map(({ action }) => action))].filter(
		(action) => effectOf(action, rules) !== "deny",
	);
	const tools = allowed.flatMap((action) => {
		const tool = mapTool(action, ownTools, vocabulary);
		return tool.kind === "ours" ? tool.names : [];
	});
	const key = rules[0]?.key ?? "tools";
	if (tools.length === 0 && allowed.length > 0) fields.refuse("agent.noTools", key, describeNoTools(key, allowed));
	else tellUnknown(fields, rules, vocabulary);
	return { tools: [...new Set(tools)] };
}

/** A rule for some files or commands only. To leave out an `allow` takes nothing from anybody's safety. */
function tellPatterns(fields: ForeignFields, rules: readonly Rule[]): void {
	const lost = rules.find(({ resource, effect }) => resource !== "*" && effect !== "allow");
	if (lost === undefined) return;
	const message = `Rules with patterns, such as ${lost.action} ${JSON.stringify(lost.resource)}, are not applied: what is not denied as a whole is asked for as usual.`;
	fields.warn("agent.toolPattern", lost.key, message);
}

function tellUnknown(fields: ForeignFields, rules: readonly Rule[], vocabulary: AgentVocabulary): void {
	const unknown = rules.filter(
		({ action, effect }) =>
			action !== "*" && effect !== "deny" && mapTool(action, ownTools, vocabulary).kind === "unknown",
	);
	fields.tellUnknown(unknown[0]?.key ?? "tools", [...new Set(unknown.map(({ action }) => action))]);
}
