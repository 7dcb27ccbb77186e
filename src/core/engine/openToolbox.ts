import { mkdirSync, realpathSync } from "node:fs";
import { lstat } from "node:fs/promises";
import path from "node:path";
import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { ProblemError } from "../base/errors.ts";
import { hashBytes } from "../base/hashBytes.ts";
import { childEnvironment } from "../permissions/childEnvironment.ts";
import { containedFileAccess } from "../permissions/containedFileAccess.ts";
import { createPermissionGate, isForPlanning, type StandingAnswer } from "../permissions/permissionGate.ts";
import { parseRule } from "../permissions/rule.ts";
import type { ChangeRecorder } from "../ports/changeRecorder.ts";
import type { Clock } from "../ports/clock.ts";
import type { EditorPort } from "../ports/editor.ts";
import type { LanguagesPort } from "../ports/languages.ts";
import type { WebAccess } from "../ports/webAccess.ts";
import type { ProcessGroups } from "../processes/processGroup.ts";
import type { StandingAnswerRecord } from "../runs/approval.ts";
import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import { RunSkills } from "../skills/runSkills.ts";
import type { SearchService } from "../search/searchService.ts";
import type { Database } from "../store/database.ts";
import { ownFiles } from "../store/ownFiles.ts";
import { createBuiltinTools } from "../tools/builtinTools.ts";
import { dispatchToolCall, type BegunEffect } from "../tools/dispatchToolCall.ts";
import { folderArtefacts } from "../tools/folderArtefacts.ts";
import type { Tool } from "../tools/tool.ts";
import { canonicalToolName } from "../tools/toolNames.ts";
import { effectiveTools } from "../tools/toolPolicy.ts";
import { createToolServices } from "../tools/toolServices.ts";
import type { McpHub } from "./mcpHub.ts";
import { readAgentRules, addAgentRules } from "./agentRules.ts";
import { openServers } from "./runServers.ts";
import { narrowToPlan, readScope } from "./narrowToPlan.ts";
import type { PlanScope } from "../plans/planScope.ts";
import type { ApprovalDesk } from "./approvalDesk.ts";
import type { LiveRun } from "./liveRun.ts";
import { RunApprovals } from "./runApprovals.ts";
import type { RunDefinition, Toolbox } from "./runExecutor.ts";

export interface ToolOptions {
	readonly repoFolder: string | null;
	readonly ripgrepPath: string | undefined;
	readonly clock: Clock;
	readonly processes: ProcessGroups;
	/** By what pages are reached, where it is not this machine's own network. */
	readonly web?: WebAccess;
	/** What is asked to search the web, as configured now. */
	findSearch?(): SearchService | undefined;
	/** The editor's, where there is one. */
	readonly languages?: LanguagesPort;
}

export interface ToolboxOptions extends ToolOptions {
	readonly database: Database;
	readonly desk: ApprovalDesk;
	readonly homeFolder: string;
	readonly hub: McpHub;
	/** Muster's own, which no tool opens. */
	readonly dataFolder: string;
	/** The store's, which has room for scratch and for what runs hand over. */
	readonly storeFolder: string;
	readonly editor?: EditorPort;
	/** For main agents only. */
	readonly sessionTools: readonly Tool[];
	readonly onChanged: (run: Run, events: readonly RunEvent[]) => void;
}

/** The tools that an agent really has. `sessionTools` are for main agents only. */
export function toolsOf(
	agent: AgentDefinition,
	options: Pick<ToolOptions, "ripgrepPath" | "findSearch" | "languages"> & { readonly skills?: RunSkills },
	sessionTools: readonly Tool[] = [],
): readonly Tool[] {
	const { ripgrepPath, skills, languages } = options;
	const search = options.findSearch?.();
	const builtin = createBuiltinTools({ ripgrepPath, ...(skills && { skills }), search, languages });
	return effectiveTools({
		available: [...builtin, ...sessionTools],
		tools: agent.tools,
		disallowedTools: agent.disallowedTools,
		isSubagent: sessionTools.length === 0,
	});
}

/** Everything that a run works with, made for this run alone. */
export async function openToolbox(
	run: Run,
	definition: RunDefinition,
	live: LiveRun,
	options: ToolboxOptions,
): Promise<Toolbox> {
	const { agent } = definition;
	const { database, clock, processes, desk } = options;
	const folder = workFolder(run, agent, options);
	const root = folder === null ? null : realpathSync.native(folder);
	const roots = root === null ? [] : [root];
	const approvals = new RunApprovals(run, live, {
		database,
		clock,
		desk,
		onAsk: run.request.onAsk ?? agent.onAsk ?? "inbox",
		onChanged: options.onChanged,
	});
	const answers = createAnswers(run, definition.agentHash, desk);
	const scope = await readScope(run, database);
	const gate = createGate(run, { ...definition, ...narrowToPlan(definition, scope) }, roots, options, {
		answers,
		scope,
	});
	const skills = createRunSkills(definition, roots, gate, options);
	const all = toolsOf(agent, { ...options, skills }, options.sessionTools);
	// A tool for skills where there is none would only cost tokens.
	const own = skills.isEmpty ? all.filter(({ name }) => name !== "skill") : all;
	const { hub } = options;
	const servers = await openServers(run, definition, { hub, database, clock, gate, approvals, live, roots });
	const tools = [...own, ...servers.tools];
	const services = createServices(run, roots, gate, options);
	return {
		tools: run.request.planMode ? tools.filter(isForPlan) : tools,
		root,
		files: services.files,
		async runTool(call, signal, watchdog) {
			await answers.refresh();
			return approvals.during(() =>
				dispatchToolCall(call, {
					tools,
					gate,
					root: root ?? "",
					signal,
					services,
					ask: (question, tool) => approvals.ask(call, tool, question, signal, watchdog),
					findRefusal: (tool, effect) => skills.findRefusal(tool, effect),
					begin: (effect) => beginEffect(run, effect, options),
				}),
			);
		},
		async dispose() {
			servers.release();
			await processes.killAll(run.id);
		},
	};
}

/** By what its tools reach the world. */
function createServices(
	run: Run,
	roots: readonly string[],
	gate: ReturnType<typeof createPermissionGate>,
	options: ToolboxOptions,
) {
	const { clock, processes, editor, dataFolder, storeFolder, web } = options;
	return createToolServices({
		runId: run.id,
		clock,
		processes,
		env: childEnvironment(process.env, { roots }).env,
		files: containedFileAccess(roots, { isForbiddenFile: ownFiles(storeFolder, dataFolder) }),
		changes: storedChanges(run, options),
		saveTodos: (items) => options.database.call("writeTodos", { sessionId: run.sessionId, items }),
		artefacts: folderArtefacts(path.join(storeFolder, "artefacts", run.id)),
		leavesOut: (file, tool) => gate.leavesOut(file, tool),
		...(editor && { editor }),
		...(web && { web }),
	});
}

/** While planning a run sees what only looks; of a server's tools those that say so. */
function isForPlan({ name, origin }: Tool): boolean {
	return origin ? origin.isReadOnly : isForPlanning(name);
}

function createGate(
	run: Run,
	{ agent, rules, edits, isRestricted }: RunDefinition,
	roots: readonly string[],
	{ homeFolder, dataFolder, storeFolder }: ToolboxOptions,
	{ answers, scope }: { readonly answers: Answers; readonly scope: PlanScope | null },
) {
	const allowed = (run.request.allow ?? []).flatMap((text) => toRule(text, "the command that started this run"));
	const own = readAgentRules(agent);
	return createPermissionGate({
		roots,
		homeDir: homeFolder,
		dataDir: realPathOf(dataFolder),
		rules: addAgentRules({ ...rules, allow: [...rules.allow, ...allowed] }, own),
		limits: own.limits,
		edits,
		isRestricted,
		isPlanMode: run.request.planMode,
		plannedCommands: new Set(scope?.commands),
		answers: () => answers.current,
		isOwnFile: (file) => isOwnFile(file, storeFolder, dataFolder),
	});
}

/** The skills that were effective when the run began. What its file tools would not read unasked is withheld. */
function createRunSkills(
	{ skills }: RunDefinition,
	roots: readonly string[],
	gate: ReturnType<typeof createPermissionGate>,
	{ homeFolder, dataFolder, storeFolder }: ToolboxOptions,
): RunSkills {
	return new RunSkills(skills, {
		places: { roots, homeDir: homeFolder, dataDir: realPathOf(dataFolder) },
		canonicalName: canonicalToolName,
		isWithheld: async (file) => gate.leavesOut(file, "read_file") || isOwnFile(file, storeFolder, dataFolder),
	});
}

async function isOwnFile(file: string, storeFolder: string, dataFolder: string): Promise<boolean> {
	const stats = await lstat(file, { bigint: true }).catch(() => undefined);
	// Only a file with a second name can be another name of ours.
	return stats !== undefined && stats.nlink > 1n && ownFiles(storeFolder, dataFolder)(stats);
}

interface Answers {
	readonly current: readonly StandingAnswer[];
	refresh(): Promise<void>;
}

/** What people have answered for longer than one call, read again when it may have changed. */
function createAnswers(run: Run, hash: string, desk: ApprovalDesk): Answers {
	let own: readonly StandingAnswer[] = [];
	let always: readonly StandingAnswer[] = [];
	let revision = -1;
	return {
		get current() {
			return [...own, ...always];
		},
		async refresh() {
			always = (await desk.alwaysAnswers()).flatMap(toStandingAnswer);
			if (revision === desk.revision) return;
			({ revision } = desk);
			const given = await desk.answersFor(run.id);
			own = given.filter(({ scope, agentHash }) => scope === "run" || agentHash === hash).flatMap(toStandingAnswer);
		},
	};
}

function toStandingAnswer({ verdict, scope, rule }: StandingAnswerRecord): StandingAnswer[] {
	const origin = scope === "always" ? "your answer for always" : `your answer for this ${scope}`;
	return toRule(rule, origin).map((parsed) => ({ verdict, scope, rule: parsed }));
}

function toRule(text: string, origin: string) {
	const parsed = parseRule(text, { origin, canonicalName: canonicalToolName });
	return parsed.ok ? [parsed.rule] : [];
}

/** Another text, other tools: another agent, for which nobody has answered. */
export function hashOfAgent(agent: AgentDefinition): string {
	return hashBytes(Buffer.from(JSON.stringify(agent)));
}

function storedChanges(run: Run, { database, clock }: ToolboxOptions): ChangeRecorder {
	const { id: runId } = run;
	return {
		async planned(change) {
			if (!(await database.call("planChange", { ...change, runId, at: clock.now() }))) throw hasEnded();
		},
		done: (change) => database.call("settleChange", { ...change, runId, at: clock.now() }),
	};
}

async function beginEffect(run: Run, effect: BegunEffect, { database, clock }: ToolboxOptions): Promise<void> {
	const { id: runId, sessionId } = run;
	if (!(await database.call("beginEffect", { ...effect, runId, sessionId, at: clock.now() }))) throw hasEnded();
}

function hasEnded(): ProblemError {
	return new ProblemError({ code: "run.ended", message: "This run has ended, so it changes nothing more." });
}

function realPathOf(folder: string): string {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	return realpathSync.native(folder);
}

function workFolder(
	{ id, request }: Run,
	{ configured }: AgentDefinition,
	{ repoFolder, storeFolder }: { repoFolder: string | null; storeFolder: string },
): string | null {
	if (request.isolation !== "scratch") return request.repoDir ?? configured?.workspace ?? repoFolder;
	const scratch = path.join(storeFolder, "scratch", id);
	mkdirSync(scratch, { recursive: true, mode: 0o700 });
	return scratch;
}
