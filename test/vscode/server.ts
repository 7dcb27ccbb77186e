import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { vscodeDir } from "./installVscode.ts";
import { processesInGroup } from "./processesInGroup.ts";
import { quietSettings } from "./quietSettings.ts";
import { type LeashedProcess, spawnLeashed } from "./spawnLeashed.ts";
import { until } from "./until.ts";

export interface ServerOptions {
	/** Folder of the profile; an earlier server's, to start again where it ended. Else a new one under the temp folder. */
	root?: string;
	/** The earlier server's, when storage has to be found again: the port is part of `storageUri`. Else a free one. */
	port?: number;
	/** `.vsix` files are installed, folders are linked as they are. */
	extensions?: readonly string[];
	/**
	 * What windows show: a folder, a `.code-workspace` file, a lone file without a folder, or `null` for an empty window.
	 * Else an empty folder of the profile.
	 */
	open?: string | null;
	/** Over the quiet ones. They count as user settings and as this machine's, so that each scope sees them. */
	settings?: Readonly<Record<string, unknown>>;
	/** The content of chatLanguageModels.json: the models that chat offers without a sign-in. */
	languageModels?: readonly unknown[];
	/** Folders are restricted until the user trusts them. Else everything is trusted. */
	asksForTrust?: boolean;
	/** Added to the few variables that the server gets from us. */
	env?: Readonly<Record<string, string>>;
	/** For the Node that runs the server, not for those that it starts. */
	nodeArgs?: readonly string[];
	/** What URLs must carry to be let in. Else everybody on this machine is. */
	connectionToken?: string;
	extraArgs?: readonly string[];
}

export interface UrlOptions {
	/** As in `ServerOptions`; that one when not given. */
	open?: string | null;
	/** An extension folder to load besides the installed ones, in development mode. */
	extensionDevelopmentPath?: string;
	/** A module whose `run()` is called in the extension host, instead of use by a person. */
	extensionTestsPath?: string;
}

/** What a VS Code sees of our environment. No key of the developer's may decide what a test does. */
const passedVariables =
	/^(PATH|LANG|LC_.*|TZ|TMPDIR|USER|LOGNAME|SHELL|https?_proxy|no_proxy|NODE_USE_ENV_PROXY|NODE_EXTRA_CA_CERTS)$/i;

/**
 * A VS Code server on a profile of its own, with its own home folder. It ends with us, however we end.
 * Windows are browser pages on its URLs, opened by others.
 */
export class VscodeServer {
	readonly root: string;
	readonly port: number;
	readonly #options: ServerOptions;
	readonly #program: LeashedProcess;

	private constructor(root: string, port: number, options: ServerOptions, program: LeashedProcess) {
		this.root = root;
		this.port = port;
		this.#options = options;
		this.#program = program;
	}

	/** Resolves when the server answers. */
	static async start(options: ServerOptions = {}): Promise<VscodeServer> {
		const root = options.root ?? fs.mkdtempSync(path.join(os.tmpdir(), "muster-vscode-"));
		writeProfile(root, options);
		await installExtensions(root, options.extensions ?? []);

		const logFile = path.join(root, "server.log");
		fs.rmSync(logFile, { force: true });
		const token = options.connectionToken;
		const program = runServerMain(root, options, logFile, [
			"--host=127.0.0.1",
			`--port=${options.port ?? 0}`,
			token === undefined ? "--without-connection-token" : `--connection-token=${token}`,
			...(options.asksForTrust ? [] : ["--disable-workspace-trust"]),
			...(options.extraArgs ?? []),
		]);
		try {
			const port = await until(
				"VS Code's server to listen",
				() => {
					if (!program.isRunning())
						throw new Error(`VS Code's server ended at once:\n${fs.readFileSync(logFile, "utf8")}`);
					return Number(/agent listening on (\d+)/.exec(fs.readFileSync(logFile, "utf8"))?.[1] ?? 0);
				},
				60_000,
			);
			return new VscodeServer(root, port, options, program);
		} catch (error) {
			await program.stop();
			throw error;
		}
	}

	/** Resolves when the server has ended by itself or by `stop` or `kill`. */
	get ended(): Promise<number> {
		return this.#program.ended;
	}

	get home(): string {
		return path.join(this.root, "home");
	}

	/** The folder that windows show unless told otherwise. */
	get workspace(): string {
		return this.#options.open ?? defaultWorkspace(this.root);
	}

	get logFile(): string {
		return path.join(this.root, "server.log");
	}

	/** Everything that VS Code and its extensions log, as files. */
	get logsDir(): string {
		return path.join(this.root, "data", "logs");
	}

	url(options: UrlOptions = {}): string {
		const remote = (file: string) => `vscode-remote://127.0.0.1:${this.port}${file}`;
		const payload: [key: string, value: string][] = [];
		const { extensionDevelopmentPath: developed, extensionTestsPath: tests } = options;
		if (developed) payload.push(["extensionDevelopmentPath", remote(developed)]);
		if (tests) payload.push(["extensionTestsPath", remote(tests)]);

		const query = new URLSearchParams();
		const opened = options.open === undefined ? this.#options.open : options.open;
		const target = opened === undefined ? defaultWorkspace(this.root) : opened;
		if (target === null) query.set("ew", "true");
		else if (fs.statSync(target).isDirectory()) query.set("folder", target);
		else if (target.endsWith(".code-workspace")) query.set("workspace", target);
		else {
			query.set("ew", "true");
			payload.push(["openFile", remote(target)]);
		}
		if (payload.length > 0) query.set("payload", JSON.stringify(payload));
		if (this.#options.connectionToken !== undefined) query.set("tkn", this.#options.connectionToken);
		return `http://127.0.0.1:${this.port}/?${query}`;
	}

	/** The pids of the extension hosts: one for each open window. */
	extensionHosts(): number[] {
		return processesInGroup(this.#program.pid)
			.filter(({ commandLine }) => commandLine.includes("--type=extensionHost"))
			.map(({ pid }) => pid);
	}

	/** What an extension has logged in all its channels and hosts, oldest file first. `id` is `publisher.name`. */
	extensionLog(id: string): string {
		if (!fs.existsSync(this.logsDir)) return "";
		const isOfExtension = (file: string) => file.endsWith(".log") && file.split(path.sep).some((part) => part === id);
		const files = fs.readdirSync(this.logsDir, { recursive: true, encoding: "utf8" }).filter(isOfExtension).toSorted();
		return files.map((file) => fs.readFileSync(path.join(this.logsDir, file), "utf8")).join("");
	}

	/** Ends the server and its extension hosts. Close the windows first where `deactivate` has to run. */
	stop(): Promise<void> {
		return this.#program.stop();
	}

	/** Ends the server and its extension hosts as a crash would. */
	kill(): Promise<void> {
		return this.#program.kill();
	}
}

function defaultWorkspace(root: string): string {
	return path.join(root, "workspace");
}

function writeProfile(root: string, options: ServerOptions): void {
	const data = path.join(root, "data");
	for (const folder of ["data/User", "data/Machine", "extensions", "home", "workspace"]) {
		fs.mkdirSync(path.join(root, folder), { recursive: true });
	}
	const trust = { "security.workspace.trust.enabled": options.asksForTrust ?? false };
	const settings = JSON.stringify({ ...quietSettings, ...trust, ...options.settings }, undefined, "\t");
	fs.writeFileSync(path.join(data, "User/settings.json"), settings);
	fs.writeFileSync(path.join(data, "Machine/settings.json"), settings);
	if (options.languageModels) {
		fs.writeFileSync(path.join(data, "User/chatLanguageModels.json"), JSON.stringify(options.languageModels));
	}
}

async function installExtensions(root: string, extensions: readonly string[]): Promise<void> {
	const installed = fs.readdirSync(path.join(root, "extensions"));
	for (const extension of extensions) {
		if (extension.endsWith(".vsix")) {
			if (installed.includes("extensions.json")) continue; // a profile that is used again
			const logFile = path.join(root, "install.log");
			const program = runServerMain(root, {}, logFile, [`--install-extension=${path.resolve(extension)}`, "--force"]);
			const code = await program.ended;
			if (code !== 0) throw new Error(`${extension} could not be installed:\n${fs.readFileSync(logFile, "utf8")}`);
		} else {
			link(path.join(root, "extensions"), path.resolve(extension));
		}
	}
}

/** Installs an extension's folder as it is. Where there is a list of what is installed, what is not in it is ignored. */
function link(extensionsDir: string, folder: string): void {
	const { publisher, name, version } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
	const relativeLocation = `${publisher}.${name}-${version}`;
	const location = path.join(extensionsDir, relativeLocation);
	if (fs.existsSync(location)) return;
	fs.symlinkSync(folder, location);
	const list = path.join(extensionsDir, "extensions.json");
	if (!fs.existsSync(list)) return;
	const uri = { $mid: 1, path: location, scheme: "file" };
	const entry = { identifier: { id: `${publisher}.${name}` }, version, location: uri, relativeLocation };
	fs.writeFileSync(list, JSON.stringify([...JSON.parse(fs.readFileSync(list, "utf8")), entry]));
}

function runServerMain(root: string, options: ServerOptions, logFile: string, args: string[]): LeashedProcess {
	const main = path.join(vscodeDir, "out/server-main.js");
	if (!fs.existsSync(main)) throw new Error(`${main} is not there. \`npm test\` and \`npm start\` install it.`);
	const log = fs.openSync(logFile, "a");
	const all = [
		...(options.nodeArgs ?? []),
		main,
		"--accept-server-license-terms",
		`--user-data-dir=${path.join(root, "data")}`,
		`--extensions-dir=${path.join(root, "extensions")}`,
		"--disable-telemetry",
		"--telemetry-level=off",
		"--disable-experiments",
		"--disable-getting-started-override",
		...args,
	];
	const passed = Object.entries(process.env).filter(([name]) => passedVariables.test(name));
	const noGallery = { EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: "" }) };
	const env = { ...Object.fromEntries(passed), ...noGallery, HOME: path.join(root, "home"), ...options.env };
	const program = spawnLeashed(process.execPath, all, { cwd: root, env, output: log });
	fs.closeSync(log);
	return program;
}
