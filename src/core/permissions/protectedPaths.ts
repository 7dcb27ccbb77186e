import { join } from "node:path";
import { isInside } from "../base/isInside.ts";

/** Names that protect whatever stands under them: each makes a tool, an editor or an agent run or believe something. */
const protectedNames: ReadonlySet<string> = new Set(
	[
		[".git", ".hg", ".svn", ".vscode", ".idea", ".cursor", ".claude", ".codex", ".gemini", ".agents", ".devcontainer"],
		[".husky", ".circleci", "jenkinsfile", ".mcp.json", "mcp.json", ".cursorrules", ".npmrc", "package.json"],
		["agents.md", "claude.md", "gemini.md", "skill.md", ".pre-commit-config.yaml"],
		[".gitattributes", ".gitmodules", ".gitconfig", ".lfsconfig", ".envrc", ".netrc"],
	].flat(),
);

const protectedPatterns: readonly RegExp[] = [
	/^\.(?:roo|cline|env|gitlab-ci|yarnrc)/,
	/^\.pnpmfile\./,
	/^azure-pipelines/,
	/\.(?:code-workspace|agent\.md|instructions\.md)$/,
];

const protectedGitHubFolders: readonly string[] = ["workflows", "actions"];

const secretPatterns: readonly RegExp[] = [/^\.env/, /\.(?:pem|key)$/, /^id_/];
const harmlessEnvironment = /^\.env.*[._-](?:example|sample|template)/;

/** No answer opens these. Below the home folder. */
const deniedInHome: readonly string[] = [
	[".ssh", ".aws", ".gnupg", ".kube", ".docker/config.json", ".netrc", ".npmrc", ".pypirc"],
	[".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge"],
	[".config/vivaldi", ".config/opera", "snap/firefox", "snap/chromium", ".local/share/keyrings"],
	["Library/Keychains", "Library/Safari", "Library/Cookies", "Library/Application Support/Firefox"],
	["Library/Application Support/Google/Chrome", "Library/Application Support/BraveSoftware"],
	["Library/Application Support/Microsoft Edge", "AppData/Roaming/Mozilla", "AppData/Local/Google/Chrome"],
	["AppData/Local/Microsoft/Edge", "AppData/Local/BraveSoftware"],
].flat();

const deniedProcessFile = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/;

/** Whether writing to a path needs a person each time. `path` is relative to a workspace folder and need not exist. */
export function isProtectedPath(path: string): boolean {
	const names = segments(path);
	// What lies at the top of a project and hides itself configures some tool.
	if (names[0]?.startsWith(".") === true) return true;
	return names.some(
		(name, n) =>
			protectedNames.has(name) ||
			protectedPatterns.some((pattern) => pattern.test(name)) ||
			(name === ".github" && protectedGitHubFolders.includes(names[n + 1] ?? "")),
	);
}

/** Whether a file holds secrets, by its name. */
export function isSecretFile(path: string): boolean {
	const name = segments(path).at(-1) ?? "";
	return secretPatterns.some((pattern) => pattern.test(name)) && !harmlessEnvironment.test(name);
}

/** A run's private folder: it lies among Muster's own records and is none of them. */
const scratchFolder = /^(?:.*[\\/])?scratch[\\/]run_[0-9a-f]{32}(?:[\\/]|$)/u;

/** Whether a real path is one that no file tool opens, whatever anybody answers. */
export function isDeniedPath(path: string, homeDir: string, dataDir: string): boolean {
	return (
		(isInside(dataDir, path) && !scratchFolder.test(path.slice(dataDir.length))) ||
		deniedInHome.some((place) => isInside(join(homeDir, place), path)) ||
		deniedProcessFile.test(path)
	);
}

/** The names of a path as the most careless file system would compare them. */
function segments(path: string): string[] {
	return path.split(/[\\/]/).flatMap((segment) => {
		if (segment === "" || segment === "." || segment === "..") return [];
		return [
			segment
				.normalize("NFKC")
				.replace(/\p{Default_Ignorable_Code_Point}/gu, "")
				.toLowerCase()
				.replace(/(?<=[^. ])[. ]+$/, ""),
		];
	});
}
