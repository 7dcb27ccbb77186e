/** Every built-in work tool by the name that we use for it. */
export const builtinToolNames = [
	"read_file",
	"write_file",
	"edit_file",
	"list_dir",
	"glob",
	"grep",
	"shell",
	"shell_start",
	"shell_status",
	"shell_kill",
	"web_fetch",
	"web_search",
	"attach_file",
	"diagnostics",
	"symbols",
	"todo",
	"skill",
] as const;

export type BuiltinToolName = (typeof builtinToolNames)[number];

/** Our own short names first, then what other agents call the same tools, so that their agent files work here. */
const aliases: Partial<Record<BuiltinToolName, readonly string[]>> = {
	read_file: ["read", "file_read", "readfile", "read/readfile", "notebookread"],
	write_file: ["write", "file_write", "write_to_file", "create_file", "createfile", "edit/createfile"],
	edit_file: ["edit", "multiedit", "notebookedit", "apply_patch", "patch", "replace_in_file", "edit/editfiles"],
	list_dir: ["ls", "list", "list_files", "list_directory", "listdirectory", "search/listdirectory"],
	glob: ["find_path", "filesearch", "search/filesearch"],
	grep: ["search", "search_files", "textsearch", "search/textsearch"],
	shell: ["exec", "bash", "powershell", "execute", "execute_command", "run_in_terminal", "terminal"],
	web_fetch: ["http_get", "webfetch", "fetch", "web/fetch", "read_web_page"],
	web_search: ["websearch", "web"],
	diagnostics: ["get_diagnostics", "problems", "read/problems"],
	symbols: ["lsp", "usages", "search/usages", "list_code_definition_names"],
	todo: ["todowrite", "todo_write", "manage_todo_list", "update_plan"],
	skill: ["use_skill", "read/skill"],
};

const canonicalNames: ReadonlyMap<string, BuiltinToolName> = new Map(
	builtinToolNames.flatMap((name) => [name, ...(aliases[name] ?? [])].map((alias) => [alias, name] as const)),
);

/** The one name of a tool, whatever the file or the model calls it. A name that is not ours comes back as it is. */
export function canonicalToolName(name: string): string {
	const trimmed = name.trim();
	return canonicalNames.get(trimmed.toLowerCase()) ?? trimmed;
}
