/** What of a program's command line a rule with `*` does not let pass. */
export interface Dangers {
	/** Letters of short options, found anywhere in a cluster. */
	readonly short?: string;
	/** Options by their whole name; one with two dashes also by any abbreviation. */
	readonly long?: readonly string[];
	/** Subcommands, unless the rule names them itself. */
	readonly words?: readonly string[];
}

/** Programs that run other programs or any text, or that talk to the network: only a rule for the exact words allows them. */
const never: ReadonlySet<string> = new Set(
	[
		["bash", "sh", "dash", "zsh", "fish", "ksh", "csh", "tcsh", "pwsh", "powershell", "cmd", "busybox"],
		["env", "sudo", "doas", "su", "xargs", "parallel", "time", "nice", "ionice", "nohup", "timeout", "stdbuf"],
		["setsid", "chroot", "unshare", "nsenter", "watch", "script", "strace", "gdb", "at", "batch", "crontab"],
		["eval", "source", ".", "exec", "trap", "alias", "coproc", "command", "builtin", "enable", "set", "shopt"],
		["cd", "pushd", "popd", "export", "declare", "typeset", "readonly", "local", "unset", "hash", "bind", "complete"],
		["read", "mapfile", "readarray", "printf", "getopts", "let", "test", "["],
		["node", "nodejs", "python", "python2", "python3", "perl", "ruby", "php", "deno", "bun", "osascript", "lua"],
		["tclsh", "expect", "awk", "gawk", "mawk", "nawk", "sed", "gsed", "ed", "ex", "vi", "vim", "nvim", "emacs"],
		["nano", "less", "more", "most", "tar", "bsdtar", "zip", "unzip", "7z", "cpio"],
		["npm", "npx", "pnpm", "pnpx", "yarn", "bunx", "make", "gmake", "cmake", "ninja", "cargo", "go", "gradle", "mvn"],
		["pip", "pip3", "pipx", "uv", "uvx", "poetry", "gem", "bundle", "rake", "composer", "docker", "podman", "kubectl"],
		["curl", "wget", "nc", "ncat", "netcat", "socat", "dig", "nslookup", "host", "ping", "telnet", "ftp", "sftp"],
		["ssh", "scp", "rsync", "openssl", "gh", "aws", "gcloud", "az", "systemctl", "systemd-run", "dbus-send", "open"],
		["xdg-open", "code", "start"],
	].flat(),
);

/** Interpreters are installed as `python3.12` and the like. */
const versioned = /^(python|perl|ruby|php|node|lua|pip|bash|gcc)[\d.-]+$/;

const table: Readonly<Record<string, Dangers>> = {
	git: {
		short: "cCOo",
		long: [
			["--git-dir", "--work-tree", "--output", "--output-directory", "--ext-diff", "--no-index", "--textconv"],
			["--config-env", "--exec-path", "--open-files-in-pager", "--upload-pack", "--receive-pack", "--exec"],
			["--namespace", "--super-prefix", "--paginate", "--edit-description", "--template", "--tool", "--extcmd"],
			["--contents", "--file", "--pathspec-from-file", "--exclude-from", "--config", "--directory"],
		].flat(),
		words: [
			["config", "push", "fetch", "pull", "clone", "remote", "ls-remote", "submodule", "bisect", "rebase", "hook"],
			["filter-branch", "difftool", "mergetool", "send-email", "imap-send", "request-pull", "credential", "daemon"],
			["instaweb", "gui", "citool", "gitk", "maintenance", "for-each-repo", "worktree", "init", "archive", "bundle"],
			["fast-import", "fast-export", "help", "web--browse", "svn", "p4", "cvsserver", "shell", "upload-pack"],
			["receive-pack", "upload-archive", "http-backend", "update-index", "update-ref", "symbolic-ref", "replace"],
		].flat(),
	},
	find: {
		long: [
			["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls", "-files0-from"],
			["-follow"],
		].flat(),
		short: "L",
	},
	fd: { short: "xXL", long: ["--exec", "--exec-batch", "--follow", "--base-directory", "--search-path"] },
	rg: { short: "zfL", long: ["--pre", "--hostname-bin", "--search-zip", "--file", "--ignore-file", "--follow"] },
	grep: { short: "fR", long: ["--file", "--exclude-from", "--dereference-recursive"] },
	sort: { short: "oT", long: ["--output", "--compress-program", "--temporary-directory", "--files0-from"] },
	wc: { long: ["--files0-from"] },
	du: { short: "XL", long: ["--files0-from", "--exclude-from", "--dereference"] },
	man: { short: "PHCM", long: ["--pager", "--html", "--config-file", "--manpath", "--preprocessor"] },
	date: { short: "fs", long: ["--file", "--set"] },
	file: { short: "fmC", long: ["--files-from", "--magic-file", "--compile"] },
	tree: { short: "ol", long: ["--fromfile", "--output"] },
	diff: { long: ["--to-file", "--from-file", "--exclude-from"], short: "X" },
	patch: { short: "iodr", long: ["--input", "--output", "--directory", "--reject-file"] },
	split: { long: ["--filter"] },
	bat: { long: ["--pager", "--config-file", "--config-dir", "--diff"] },
	jq: { short: "fL", long: ["--from-file", "--slurpfile", "--rawfile", "--args"] },
	yq: { short: "is", long: ["--inplace", "--split-exp", "--from-file"] },
	tsc: { short: "pbw", long: ["--project", "--build", "--outDir", "--outFile", "--watch"] },
	eslint: { short: "co", long: ["--config", "--output-file", "--rulesdir", "--plugin", "--parser", "--format"] },
};

/**
 * Why a rule with `*` does not let these words pass, as the rest of a sentence about the command, or `undefined`.
 * `literal` is how many of the words the rule itself holds.
 */
export function findDanger(argv: readonly string[], literal: number): string | undefined {
	const program = programName(argv[0] ?? "");
	if (never.has(program) || never.has(program.replace(versioned, "$1"))) {
		return `runs ${program}, which can run anything: a rule with * does not cover it`;
	}
	const dangers = Object.hasOwn(table, program) ? table[program] : undefined;
	if (dangers === undefined) return undefined;
	const word = argv.find(
		(candidate, n) =>
			n > 0 && (isDangerousOption(candidate, dangers) || (n >= literal && isDangerousWord(candidate, dangers))),
	);
	return word === undefined ? undefined : `has ${JSON.stringify(word)}, which can run, write or leave`;
}

/** The name under which a program stands in the table, however it is reached. */
export function programName(word: string): string {
	const name = word.slice(word.lastIndexOf("/") + 1);
	return name.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, "");
}

function isDangerousWord(word: string, { words = [] }: Dangers): boolean {
	return words.includes(word);
}

function isDangerousOption(word: string, { short = "", long = [] }: Dangers): boolean {
	const [name = ""] = word.split("=");
	if (name.startsWith("--")) return name.length > 2 && long.some((option) => option.startsWith(name));
	if (!name.startsWith("-")) return false;
	// The cluster may hold the option's value too: asking once too often is the price.
	return long.includes(name) || [...short].some((letter) => word.slice(1).includes(letter));
}

/** Programs that run the words after them, for rules that ask or deny. */
const wrappers: ReadonlySet<string> = new Set(
	[
		["env", "sudo", "doas", "su", "xargs", "parallel", "time", "nice", "ionice", "nohup", "timeout", "stdbuf"],
		["setsid", "chroot", "watch", "strace", "exec", "command", "builtin", "coproc", "busybox", "npx", "find"],
	].flat(),
);

export function isWrapper(word: string): boolean {
	return wrappers.has(programName(word));
}
