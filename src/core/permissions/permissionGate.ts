import { relative, resolve } from "node:path";
import { messageOf, unreachable } from "../base/errors.ts";
import { isInside } from "../base/isInside.ts";
import { allow, ask, deny, nameRule, noRule, wideScopes } from "./decision.ts";
import { readWebAddress } from "../web/readWebAddress.ts";
import { findPathSyntaxProblem } from "./findPathSyntaxProblem.ts";
import type { Places } from "./findUnsafeWord.ts";
import { followLinks } from "./followLinks.ts";
import { isInsideGitDirectory } from "./isInsideGitDirectory.ts";
import { judgeRun } from "./judgeRun.ts";
import { isDeniedPath, isProtectedPath, isSecretFile } from "./protectedPaths.ts";
import { escapePath, isRuleFor, matchHost, matchPath, matchPathInAnyForm, type Rule, type RuleLists } from "./rule.ts";
import { findLeftLimit, isLeftOut, type ToolLimit } from "./toolLimit.ts";
import type { AnswerScope, Decision, PermissionGate, SideEffect } from "./sideEffect.ts";

/** What a person answered for longer than one call. */
export interface StandingAnswer {
	readonly verdict: "allow" | "deny";
	readonly scope: Exclude<AnswerScope, "once">;
	/** Its origin reads like `your answer for this run`. */
	readonly rule: Rule;
}

export interface PermissionGateOptions extends Places {
	readonly rules: RuleLists;
	/** What of its tools the agent has in part only. */
	readonly limits?: readonly ToolLimit[];
	/** `allow` lets ordinary files be written unasked. */
	readonly edits: "ask" | "allow";
	/** Writes and commands are denied, never asked; reads stay in the workspace. */
	readonly isRestricted: boolean;
	/** Nothing is changed or run. */
	readonly isPlanMode: boolean;
	/** Commands that pass to the byte, because the approved plan lists them. */
	readonly plannedCommands?: ReadonlySet<string>;
	/** Whether a path is another name of one of Muster's own files, which are never opened: closing one frees its locks. */
	isOwnFile?(path: string): Promise<boolean>;
	/** Read again for every decision. */
	readonly answers: () => readonly StandingAnswer[];
}

/** The gate of an agent that runs by rules. */
export interface RuleGate extends PermissionGate {
	/** Whether a tool that reads many files leaves this one out, because reading it alone would be denied or asked. */
	leavesOut(realPath: string, tool: string): boolean;
}

type FileEffect = Extract<SideEffect, { kind: "read" | "write" }>;
interface Found {
	readonly path: string;
	/** The path before links were followed: a rule that denies holds for both. */
	readonly named: string;
	readonly root: string | undefined;
}

/** Decides by rules: deny before ask before allow, then the defaults. Protected paths ask whatever the rules allow. */
export function createPermissionGate(options: PermissionGateOptions): RuleGate {
	return {
		async decide(effect, tool) {
			try {
				const decision = await decide(effect, tool, options, currentRules(options));
				return decision.verdict === "deny" ? decision : keepLimits(effect, tool, decision, options);
			} catch (error) {
				return deny(`${tool} cannot be judged (${messageOf(error)}), so it is not allowed. Go on without it.`);
			}
		},
		leavesOut(path, tool) {
			if (isDeniedPath(path, options.homeDir, options.dataDir)) return true;
			if (isLeftOut(options.limits ?? [], path, tool, options)) return true;
			const { deny: denied, ask: asked, allow: allowed } = currentRules(options);
			const matches = (rule: Rule) => isRuleFor(rule, tool, "read") && matchPathInAnyForm(rule, path, options);
			if ([...denied, ...asked].some(matches)) return true;
			return isSecretFile(path) && !allowed.some((rule) => isExactRead(rule, path, tool, options));
		},
	};
}

/** Nothing that anybody allows leads out of what the agent has. */
function keepLimits(
	effect: SideEffect,
	tool: string,
	decision: Exclude<Decision, { verdict: "deny" }>,
	options: PermissionGateOptions,
): Decision {
	const left = findLeftLimit(options.limits ?? [], { effect, tool, path: decision.path }, options);
	if (left === undefined) return decision;
	return deny(`This agent has ${tool} only as ${left.text}. Stay within that, or say in your report what is needed.`);
}

function currentRules({ rules, answers }: PermissionGateOptions): RuleLists {
	const given = answers();
	const answered = (verdict: "allow" | "deny") => given.filter((answer) => answer.verdict === verdict);
	return {
		deny: [...rules.deny, ...answered("deny").map(({ rule }) => rule)],
		ask: rules.ask,
		allow: [...rules.allow, ...answered("allow").map(({ rule }) => rule)],
	};
}

async function decide(
	effect: SideEffect,
	tool: string,
	options: PermissionGateOptions,
	rules: RuleLists,
): Promise<Decision> {
	if (options.isPlanMode && !isForPlanning(tool)) {
		return deny(`While planning you cannot use ${tool}. Put it into the plan: it happens after approval.`);
	}
	switch (effect.kind) {
		case "none":
			return decideByName(effect, tool, options, rules);
		case "read":
			return decideFile(effect, tool, options, rules);
		case "write":
			return denyByMode("write files", options) ?? decideFile(effect, tool, options, rules);
		case "run":
			return denyByMode("run commands", options) ?? judgeRun(effect, tool, options, rules, options.plannedCommands);
		case "fetch":
			return decideFetch(effect, tool, rules);
		case "search":
			return decideByName(effect, tool, options, rules);
		case "mcp":
			return decideMcp(effect, tool, options, rules);
		case "start":
			return decideStart(effect, options, rules);
		default:
			return unreachable(effect);
	}
}

/** What only looks. Of an MCP server's tools those are offered that say so. */
const planningTools: ReadonlySet<string> = new Set(
	"read_file list_dir glob grep diagnostics symbols skill todo web_fetch web_search".split(" "),
);

/** Whether a run in plan mode has this tool at all. */
export function isForPlanning(tool: string): boolean {
	return planningTools.has(tool) || tool.startsWith("mcp__");
}

function denyByMode(what: string, { isPlanMode, isRestricted }: PermissionGateOptions): Decision | undefined {
	if (isPlanMode) return deny(`While planning you cannot ${what}. Put it into the plan: it happens after approval.`);
	if (isRestricted) return deny(`This agent is restricted and cannot ${what}. Say in your report what is to be done.`);
	return undefined;
}

/** What has no path, command or address is judged by the tool's name. */
function decideByName(
	effect: Extract<SideEffect, { kind: "none" | "search" }>,
	tool: string,
	options: PermissionGateOptions,
	rules: RuleLists,
): Decision {
	const isFor = (rule: Rule) => isRuleFor(rule, tool, effect.kind);
	const denied = rules.deny.find(isFor);
	if (denied !== undefined) return deny(`${tool} is denied by ${nameRule(denied)}. Go on without it.`);
	const subject = effect.kind === "search" ? effect.query : tool;
	const asked = rules.ask.find(isFor);
	if (asked !== undefined) return ask(effect, { subject, why: `Asked for by ${nameRule(asked)}` });
	if (effect.kind === "none") return allow("it touches nothing");
	const allowed = rules.allow.find(isFor);
	if (allowed !== undefined) return allow(nameRule(allowed));
	return ask(effect, { subject, why: noRule, scopes: wideScopes, rules: [tool] });
}

/** A tool of an MCP server: its first use asks, or each, or none, as its configuration says. */
function decideMcp(
	effect: Extract<SideEffect, { kind: "mcp" }>,
	tool: string,
	{ isPlanMode, isRestricted }: PermissionGateOptions,
	rules: RuleLists,
): Decision {
	const { server, approval, isReadOnly } = effect;
	const names = [tool, `mcp__${server}__${effect.tool}`];
	const isFor = (rule: Rule) => names.some((name) => isRuleFor(rule, name, "mcp"));
	const denied = rules.deny.find(isFor);
	if (denied !== undefined) return deny(`${tool} is denied by ${nameRule(denied)}. Go on without it.`);
	if (isPlanMode && !isReadOnly) return deny(`While planning you cannot use ${tool}: it may change something.`);
	if (isRestricted) return deny(`This agent is restricted and cannot use ${tool}. Go on without it.`);
	const asked = rules.ask.find((rule) => rule.pattern.kind !== "server" && isFor(rule));
	if (asked !== undefined) return ask(effect, { subject: tool, why: `Asked for by ${nameRule(asked)}` });
	if (approval === "eachCall") return ask(effect, { subject: tool, why: "Its server's configuration asks each time" });
	if (approval === "allow") return allow("the configuration of its server");
	// Consent to a server is not yet consent to what its tools do.
	const allowed = rules.allow.find((rule) => rule.pattern.kind !== "server" && isFor(rule));
	if (allowed !== undefined) return allow(nameRule(allowed));
	return ask(effect, { subject: tool, why: "Its first use in this run", scopes: ["run"], rules: [tool] });
}

/** Whether a server that a repository brings may be started: as it is configured now, and no other. */
function decideStart(
	effect: Extract<SideEffect, { kind: "start" }>,
	{ isRestricted }: PermissionGateOptions,
	rules: RuleLists,
): Decision {
	const { server, command: subject } = effect;
	const isFor = ({ pattern }: Rule) => pattern.kind === "server" && pattern.server === server;
	const denied = rules.deny.find(isFor);
	if (denied !== undefined) return deny(`The MCP server ${server} is denied by ${nameRule(denied)}.`);
	if (isRestricted) return deny(`This agent is restricted and has no MCP servers.`);
	const allowed = rules.allow.find(isFor);
	if (allowed !== undefined && !rules.ask.some(isFor)) return allow(nameRule(allowed));
	return ask(effect, { subject, why: `The MCP server “${server}” of this folder wants to be started` });
}

async function decideFile(
	effect: FileEffect,
	tool: string,
	options: PermissionGateOptions,
	rules: RuleLists,
): Promise<Decision> {
	const found = await findFile(effect.path, options.roots);
	if (typeof found === "string") return deny(found);
	const { path, named, root } = found;
	const verb = effect.kind === "read" ? "Reading" : "Writing";
	if ([path, named].some((spelling) => isDeniedPath(spelling, options.homeDir, options.dataDir))) {
		return deny(`${verb} ${path} is never allowed: it holds credentials or Muster's own records. Go on without it.`);
	}
	if ((await options.isOwnFile?.(path)) === true) {
		return deny(`${path} is one of Muster's own records and is never opened. Go on without it.`);
	}
	const isFor = (rule: Rule) => isRuleFor(rule, tool, effect.kind);
	const matchesEither = (rule: Rule) =>
		isFor(rule) && [path, named].some((spelling) => matchPathInAnyForm(rule, spelling, options));
	const denied = rules.deny.find(matchesEither);
	if (denied !== undefined) {
		return deny(
			`${verb} ${path} is denied by ${nameRule(denied)}. Go on without it, or say in your report why it is needed.`,
		);
	}
	if (root === undefined && options.isRestricted) {
		return deny(`This agent is restricted to its workspace, and ${path} is outside. Use a path inside the workspace.`);
	}
	const asked = rules.ask.find(matchesEither);
	if (asked !== undefined) return ask(effect, { path, subject: path, why: `Asked for by ${nameRule(asked)}` });
	if (effect.kind === "write") {
		const protection = await findProtection(found, effect.path);
		if (protection !== undefined) return ask(effect, { path, subject: path, why: protection });
	}
	const isSecret = effect.kind === "read" && (isSecretFile(path) || isSecretFile(named));
	const allowed = rules.allow.find((rule) =>
		isSecret ? isExactRead(rule, path, tool, options) : isFor(rule) && matchPath(rule, path, options) !== undefined,
	);
	if (allowed !== undefined) return allow(nameRule(allowed), path);
	return decideFileByDefault(effect, found, isSecret, options);
}

function decideFileByDefault(
	effect: FileEffect,
	{ path, root }: Found,
	isSecret: boolean,
	options: PermissionGateOptions,
): Decision {
	if (effect.kind === "write") {
		if (options.edits === "allow") return allow("edits of ordinary files are allowed", path);
		return ask(effect, {
			path,
			subject: path,
			why: noRule,
			scopes: wideScopes,
			rules: [`edit_file(${escapePath(path)})`],
		});
	}
	const rules = [`read_file(${escapePath(path)})`];
	if (root === undefined) {
		return ask(effect, { path, subject: path, why: "Outside the workspace", scopes: ["run"], rules });
	}
	if (isSecret) return ask(effect, { path, subject: path, why: "Secret file", scopes: wideScopes, rules });
	return allow("reading in the workspace", path);
}

/** A secret file is allowed by a rule that names it, not by one that happens to cover it. */
function isExactRead(rule: Rule, path: string, tool: string, options: PermissionGateOptions): boolean {
	return isRuleFor(rule, tool, "read") && matchPath(rule, path, options) === "exact";
}

/** Where a path leads, or why that cannot be judged, for the model. */
async function findFile(path: string, roots: readonly string[]): Promise<Found | string> {
	const [firstRoot] = roots;
	if (firstRoot === undefined) {
		return "No folder is open in this window, so there are no files. Answer from the task alone, or ask the user to open a folder.";
	}
	const refuse = (problem: string) =>
		`The path ${shorten(path)} ${problem}. Use a path inside the workspace, relative to its folder, such as "src/main.ts".`;
	const syntaxProblem = findPathSyntaxProblem(path);
	if (syntaxProblem !== undefined) return refuse(syntaxProblem);
	try {
		const named = resolve(firstRoot, path);
		const followed = await followLinks(named);
		if (!followed.ok) return refuse(followed.problem);
		return { path: followed.path, named, root: roots.find((root) => isInside(root, followed.path)) };
	} catch (error) {
		return refuse(`cannot be looked up (${messageOf(error)})`);
	}
}

/** Why writing here asks each time, for a person, or `undefined` when the file is ordinary. */
async function findProtection({ path, named, root }: Found, given: string): Promise<string | undefined> {
	if (root === undefined) return "Protected path: outside the workspace";
	const namedInside = isInside(root, named) ? relative(root, named) : "";
	if (isProtectedPath(relative(root, path)) || isProtectedPath(namedInside)) return "Protected path";
	if (await isInsideGitDirectory(path, root)) return "Protected path: part of a git repository's own files";
	// The same project may be checked out on Windows, where such a name means another file or a device.
	const names = relative(root, path);
	const odd = findPathSyntaxProblem(names, "win32") ?? findPathSyntaxProblem(given.replace(/^[a-z]:/i, ""), "win32");
	return odd === undefined ? undefined : `Protected path: it ${odd}`;
}

function decideFetch(effect: Extract<SideEffect, { kind: "fetch" }>, tool: string, rules: RuleLists): Decision {
	const address = readWebAddress(effect.url);
	if (!address.ok) return deny(address.problem);
	const { url } = address;
	const spellings = [url.host, url.hostname];
	const matchesAny = (rule: Rule) =>
		isRuleFor(rule, tool, "fetch") && spellings.some((spelling) => matchHost(rule, spelling));
	const denied = rules.deny.find(matchesAny);
	if (denied !== undefined) {
		return deny(
			`Fetching from ${url.hostname} is denied by ${nameRule(denied)}. Use another source, or go on without it.`,
		);
	}
	const subject = effect.url;
	const asked = rules.ask.find(matchesAny);
	if (asked !== undefined) return ask(effect, { subject, why: `Asked for by ${nameRule(asked)}` });
	const oddity = findOddity(url);
	if (oddity !== undefined) return ask(effect, { subject, why: oddity });
	const allowed = rules.allow.find((rule) => isRuleFor(rule, tool, "fetch") && matchHost(rule, url.host));
	if (allowed !== undefined) return allow(nameRule(allowed));
	return ask(effect, { subject, why: noRule, scopes: wideScopes, rules: [`web_fetch(${url.host})`] });
}

/** Why a rule for the host does not speak for this address. */
function findOddity(url: URL): string | undefined {
	if (url.protocol !== "https:") return "Not encrypted";
	if (url.port !== "") return `Unusual port ${url.port}`;
	return url.search.length > 200 ? "The address carries much data" : undefined;
}

function shorten(text: string): string {
	return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
