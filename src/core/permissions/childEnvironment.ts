import { realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isInside } from "../base/isInside.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface ChildEnvironmentOptions {
	/** Real paths of the workspace folders: programs in them do not get into the child's PATH. */
	readonly roots: readonly string[];
	/** Names that the user wants kept. */
	readonly alsoKeep?: readonly string[];
	readonly platform?: NodeJS.Platform;
}

export interface ChildEnvironment {
	readonly env: Readonly<Record<string, string>>;
	/** What the child does not get, by name and sorted; `NAME (user and password)` where only that part was cut. */
	readonly dropped: readonly string[];
}

const kept = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TERM|COLORTERM|TMPDIR|TZ|MUSTER_RUN)$/;
const keptOnWindows =
	/^(?:SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|TEMP|TMP|USERPROFILE|USERNAME|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES(?:\(X86\))?|PROCESSOR_ARCHITECTURE|NUMBER_OF_PROCESSORS)$/;
const proxies = /^(?:HTTP|HTTPS|ALL|FTP)_PROXY$/i;
const noProxy = /^NO_PROXY$/i;
const certificates =
	/^(?:SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO|AWS_CA_BUNDLE|CARGO_HTTP_CAINFO|PIP_CERT)$/;

/** These make a program load or run something else; not even the user's wish keeps them. */
const neverKept =
	/^(?:NODE_OPTIONS|ELECTRON_RUN_AS_NODE|VSCODE_.*|BASH_ENV|BASH_FUNC_.*|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|IFS|CDPATH|LD_.*|DYLD_.*|SSH_ASKPASS|GIT_(?!SSL_CAINFO$).*|PYTHON.*|PERL5.*|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/i;
const secretName = /KEY|TOKEN|SECRET|PASS|CRED|AUTH|COOKIE|PRIVATE|CERT/i;
const secretValue =
	/-----BEGIN|\bgh[pousr]_\w{16}|\bgithub_pat_|\bAKIA[A-Z0-9]{12}|\beyJ[\w-]+\.[\w-]+\.|\bxox[a-z]-|\bsk-[\w-]{16}/;

/** The environment for a program that a model's words may steer: a short list of what programs need, no secrets. */
export function childEnvironment(parent: Variables, options: ChildEnvironmentOptions): ChildEnvironment {
	const { roots, alsoKeep = [], platform = process.platform } = options;
	const env: Record<string, string> = {};
	const dropped: string[] = [];
	for (const [name, value] of Object.entries(parent)) {
		if (value === undefined) continue;
		const isNamed = alsoKeep.includes(name);
		if (!isKept(name, value, isNamed, platform)) {
			dropped.push(name);
		} else if (name.toUpperCase() === "PATH") {
			env[name] = safePath(value, roots, platform);
		} else if (proxies.test(name)) {
			const proxy = withoutUser(value);
			if (proxy !== undefined) env[name] = proxy;
			if (proxy !== value) dropped.push(proxy === undefined ? name : `${name} (user and password)`);
		} else {
			env[name] = value;
		}
	}
	return { env, dropped: dropped.toSorted() };
}

function isKept(name: string, value: string, isNamed: boolean, platform: NodeJS.Platform): boolean {
	if (neverKept.test(name) || value.startsWith("()") || value.includes("\0")) return false;
	if (proxies.test(name) || noProxy.test(name)) return true;
	// A path is what these hold; anything else is not what they are kept for.
	if (certificates.test(name)) return isNamed || isAbsolute(value);
	if (isNamed) return true;
	const isListed =
		platform === "win32" ? kept.test(name.toUpperCase()) || keptOnWindows.test(name.toUpperCase()) : kept.test(name);
	return isListed && !secretName.test(name) && !secretValue.test(value);
}

/** Without entries that a repo could fill: relative and empty ones, and those in the workspace. */
function safePath(value: string, roots: readonly string[], platform: NodeJS.Platform): string {
	const separator = platform === "win32" ? ";" : ":";
	return value
		.split(separator)
		.filter(
			(entry) =>
				(isAbsolute(entry) || /^[a-z]:[\\/]/i.test(entry)) &&
				!roots.some((root) => isInside(root, entry) || isInside(root, realPath(entry))),
		)
		.join(separator);
}

/** The proxy's address without user and password; `undefined` when it cannot be told where they end. */
function withoutUser(value: string): string | undefined {
	if (!value.includes("@")) return value;
	const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
	const text = hasScheme ? value : `http://${value}`;
	if (!URL.canParse(text)) return undefined;
	const url = new URL(text);
	url.username = "";
	url.password = "";
	if (url.href.includes("@")) return undefined;
	const bare = url.href.replace(/\/$/, "");
	return hasScheme ? bare : bare.slice("http://".length);
}

/** A folder of the PATH may be a link into the workspace. */
function realPath(folder: string): string {
	try {
		return realpathSync(folder);
	} catch {
		// It is not there, so nothing is found in it.
		return folder;
	}
}
