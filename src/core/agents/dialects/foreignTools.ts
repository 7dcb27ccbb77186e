import { unofferedTools } from "../../base/unofferedTools.ts";
import type { KnownTools } from "../agentVocabulary.ts";
import { findVscodeTool } from "./vscodeTools.ts";

/** What each tool of another program is here; nothing where we have none like it. */
export type ToolTable = Readonly<Record<string, readonly string[]>>;

const changes = ["edit_file", "write_file"];
const searches = ["grep", "glob", "list_dir"];
const commands = ["shell", "shell_start", "shell_status", "shell_kill"];
const spawn = ["sessions_spawn"];
const none: readonly string[] = [];

/**
 * The names of tools in other programs, in lower case. Each dialect puts its own meaning of a name before these: authors
 * copy agents from one program to the next, and leave the names as they were.
 */
const peerTools: ToolTable = {
	// Claude Code
	read: ["read_file"],
	notebookread: ["read_file"],
	write: ["write_file"],
	edit: ["edit_file"],
	multiedit: ["edit_file"],
	notebookedit: ["edit_file"],
	bash: ["shell"],
	powershell: ["shell"],
	bashoutput: ["shell_status"],
	taskoutput: ["shell_status"],
	killshell: ["shell_kill"],
	killbash: ["shell_kill"],
	glob: ["glob"],
	grep: ["grep"],
	ls: ["list_dir"],
	list: ["list_dir"],
	lsp: ["symbols", "diagnostics"],
	mcp__ide__getdiagnostics: ["diagnostics"],
	webfetch: ["web_fetch"],
	websearch: ["web_search"],
	todowrite: ["todo"],
	todoread: ["todo"],
	taskcreate: ["todo"],
	taskupdate: ["todo"],
	tasklist: ["todo"],
	taskget: ["todo"],
	agent: spawn,
	task: spawn,
	taskstop: ["sessions_stop"],
	sendmessage: ["sessions_send"],
	skill: ["skill"],
	slashcommand: none,
	askuserquestion: none,
	enterplanmode: none,
	exitplanmode: none,
	toolsearch: none,
	listmcpresourcestool: none,
	readmcpresourcetool: none,
	mcp__ide__executecode: none,
	// VS Code and Copilot
	search: searches,
	codebase: ["grep", "symbols"],
	usages: ["symbols"],
	symbols: ["symbols"],
	problems: ["diagnostics"],
	get_errors: ["diagnostics"],
	textsearch: ["grep"],
	filesearch: ["glob"],
	findtestfiles: ["glob"],
	listdirectory: ["list_dir"],
	readfile: ["read_file"],
	editfiles: changes,
	createfile: ["write_file"],
	create_file: ["write_file"],
	applypatch: ["edit_file"],
	replacestring: ["edit_file"],
	execute: commands,
	shell: ["shell"],
	terminal: ["shell"],
	run_in_terminal: ["shell"],
	runcommands: commands,
	terminalcommand: ["shell"],
	web: ["web_fetch", "web_search"],
	fetch: ["web_fetch"],
	todo: ["todo"],
	todos: ["todo"],
	manage_todo_list: ["todo"],
	runsubagent: spawn,
	"custom-agent": spawn,
	send_message: ["sessions_send"],
	...Object.fromEntries(
		[
			"activepullrequest",
			"changes",
			"copilotcodingagent",
			"extensions",
			"githubrepo",
			"new",
			"opensimplebrowser",
			"rendermermaiddiagram",
			"runnotebooks",
			"runtasks",
			"runtests",
			"searchresults",
			"terminallastcommand",
			"terminalselection",
			"testfailure",
			"think",
			"vscode",
			"vscodeapi",
		].map((name) => [name, none]),
	),
	// OpenCode
	patch: ["edit_file"],
	apply_patch: ["edit_file"],
	subagent: spawn,
	question: none,
	plan_exit: none,
	// Codex
	exec: ["shell"],
	update_plan: ["todo"],
	spawn_agent: spawn,
	send_input: ["sessions_send"],
	followup_task: ["sessions_send"],
	close_agent: ["sessions_stop"],
	request_user_input: none,
	// Cline
	write_to_file: ["write_file"],
	replace_in_file: ["edit_file"],
	execute_command: ["shell"],
	search_files: ["grep"],
	list_files: ["list_dir", "glob"],
	list_code_definition_names: ["symbols"],
	use_skill: ["skill"],
	use_subagents: spawn,
	focus_chain: ["todo"],
	read_files: ["read_file", "list_dir"],
	search_codebase: ["grep", "glob"],
	run_commands: ["shell"],
	editor: changes,
	fetch_web_content: ["web_fetch"],
	skills: ["skill"],
	ask_question: none,
	ask_followup_question: none,
	attempt_completion: none,
	submit_and_exit: none,
	browser_action: none,
	plan_mode_respond: none,
	// Cursor, Zed, Amp
	find_path: ["glob"],
	list_directory: ["list_dir"],
	get_diagnostics: ["diagnostics"],
	readlints: ["diagnostics"],
	read_web_page: ["web_fetch"],
	finder: ["grep", "symbols"],
	// Netclaw and other seeds
	file_read: ["read_file"],
	file_write: ["write_file"],
	file_edit: ["edit_file"],
	file_list: ["list_dir"],
	shell_execute: ["shell"],
	http_get: ["web_fetch"],
};

/** Words for "whatever the parent has". */
const everything: ReadonlySet<string> = new Set(["*", "all", "all tools", "inherit"]);

export function namesEverything(names: readonly string[]): boolean {
	return names.some((name) => everything.has(name.toLowerCase()));
}

export type MappedTool =
	| { readonly kind: "ours"; readonly names: readonly string[]; readonly pattern?: string }
	/** It exists in that program, and there is nothing like it here. */
	| { readonly kind: "theirs" }
	| { readonly kind: "unknown" };

/** What a tool that another program's file names is here. A pattern in parentheses comes back beside the names. */
export function mapTool(written: string, own: ToolTable, known: KnownTools): MappedTool {
	const [, name = written, pattern] = /^([^(]+)\((.*)\)$/su.exec(written) ?? [];
	const names = findNames(name.trim(), own, known);
	if (names === undefined) return { kind: "unknown" };
	if (names.length === 0) return { kind: "theirs" };
	return { kind: "ours", names, ...(pattern !== undefined && { pattern }) };
}

function findNames(name: string, own: ToolTable, known: KnownTools): readonly string[] | undefined {
	const key = name.toLowerCase();
	const table = Object.hasOwn(own, key) ? own : peerTools;
	if (Object.hasOwn(table, key)) return table[key];
	if (unofferedTools.has(key)) return none;
	const vscode = findVscodeTool(key);
	if (vscode !== undefined) return vscode;
	if (known.isKnownTool(name) || /^mcp__\w/u.test(name)) return [name];
	// `server/tool` and `server/*`; a server of a registry has a slash in its own name.
	const [, server, tool] = /^(.+)\/([\w.*-]+)$/u.exec(name) ?? [];
	return server === undefined ? undefined : [`mcp__${server.replaceAll(/[^\w-]+/gu, "_")}__${tool}`];
}
