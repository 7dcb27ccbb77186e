/** VS Code's own groups of tools, and what is in them that we have too. What is not listed, we don't have. */
const groups: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
	agent: { "*": ["sessions_spawn"], runsubagent: ["sessions_spawn"] },
	edit: {
		"*": ["edit_file", "write_file"],
		applypatch: ["edit_file"],
		createdirectory: ["write_file"],
		createfile: ["write_file"],
		editfiles: ["edit_file"],
		editnotebook: ["edit_file"],
		replacestring: ["edit_file"],
	},
	execute: {
		"*": ["shell", "shell_start", "shell_status", "shell_kill"],
		awaitterminal: ["shell_status"],
		getterminaloutput: ["shell_status"],
		killterminal: ["shell_kill"],
		runinterminal: ["shell", "shell_start"],
		sendtoterminal: ["shell"],
	},
	read: {
		"*": ["read_file", "diagnostics"],
		problems: ["diagnostics"],
		readfile: ["read_file"],
		skill: ["skill"],
		viewimage: ["read_file"],
	},
	runcommands: { "*": ["shell"], runinterminal: ["shell", "shell_start"] },
	runnotebooks: {},
	runtasks: {},
	search: {
		"*": ["grep", "glob", "list_dir"],
		codebase: ["grep", "symbols"],
		filesearch: ["glob"],
		listdirectory: ["list_dir"],
		textsearch: ["grep"],
		usages: ["symbols"],
	},
	todo: { "*": ["todo"] },
	vscode: {},
	web: { "*": ["web_fetch", "web_search"], fetch: ["web_fetch"] },
};

/** Ours for `group/tool` in lower case; empty when we have none like it, undefined when it is no tool of VS Code itself. */
export function findVscodeTool(name: string): readonly string[] | undefined {
	const [group = "", tool = "", ...more] = name.split("/");
	if (more.length > 0 || tool === "" || !Object.hasOwn(groups, group)) return undefined;
	const tools = groups[group] ?? {};
	return (Object.hasOwn(tools, tool) && tools[tool]) || [];
}
