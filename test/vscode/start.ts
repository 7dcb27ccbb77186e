// `npm start`: VS Code with the extension of this checkout, on a sample project and the demo model. Uses a profile of
// its own in .cache, so that nobody's settings, keys or data are touched. Ctrl-C ends all of it.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { parseArgs } from "node:util";
import { DesktopCode } from "./desktopCode.ts";
import { installVscode } from "./installVscode.ts";
import { cacheDir, projectRoot } from "./paths.ts";
import { VscodeServer } from "./server.ts";
import { spawnLeashed } from "./spawnLeashed.ts";

const usage = `npm start [-- options]   opens VS Code with Muster on a sample project and the demo model

  --web          VS Code in the browser, even where a desktop \`code\` is on the PATH
  --port N       port for the browser; else the one of the last time, or any free one
  --folder DIR   opens this folder instead of the sample
  --profile DIR  keeps settings, keys and data there; else in .cache/start
  --fresh        forgets the sample's changes and everything of earlier starts
  --help         this text`;

const firstSteps = `What to try first:
  1. Open the Muster view in the activity bar, at the left edge.
  2. Press F1, choose "Muster: Spawn Subagent…", pick code-analyst,
     and give it the task: Find bugs in the price calculation
  3. Press F1, choose "Muster: Open Ops Panel" and watch it work.`;

const usualRoot = path.join(cacheDir, "start");
const sample = path.join(cacheDir, "sample-workspace");

/** Muster's own folders, for both kinds of VS Code. In the browser's, the home folder is ours anyway. */
const settingsIn = (root: string) => ({
	"muster.homeDir": path.join(root, "home"),
	"muster.dataDir": path.join(root, "muster"),
});

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			web: { type: "boolean" },
			port: { type: "string" },
			folder: { type: "string" },
			profile: { type: "string" },
			fresh: { type: "boolean" },
			help: { type: "boolean" },
		},
	});
	if (values.help) return console.log(usage);
	const root = values.profile === undefined ? usualRoot : path.resolve(values.profile);
	if (values.fresh) for (const folder of [root, sample]) fs.rmSync(folder, { recursive: true, force: true });
	const folder = values.folder ? path.resolve(values.folder) : prepareSample();
	if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`There is no folder ${folder}.`);
	await build();

	const obstacle = values.web || values.port ? "you asked for the browser" : DesktopCode.findObstacle();
	if (obstacle) {
		console.log(`VS Code runs in the browser: ${obstacle}.`);
		await serve(root, folder, values.port);
	} else {
		await openDesktop(root, folder);
	}
}

/** A copy, so that subagents may change it; with a history of its own, so that they see the sample's and not ours. */
function prepareSample(): string {
	if (fs.existsSync(sample)) return sample;
	fs.cpSync(path.join(projectRoot, "test/fixtures/sample"), sample, { recursive: true });
	const author = ["-c", "user.name=Muster", "-c", "user.email=muster@localhost"];
	// Without git on this machine the sample is a plain folder, which is fine too.
	for (const args of [
		["init", "-q"],
		["add", "-A"],
		[...author, "commit", "-q", "-m", "The sample"],
	]) {
		spawnSync("git", args, { cwd: sample, stdio: "ignore" });
	}
	return sample;
}

async function build(): Promise<void> {
	const program = spawnLeashed(process.execPath, ["esbuild.mjs"], { cwd: projectRoot, output: "inherit" });
	if ((await program.ended) !== 0) throw new Error("The extension does not build: see above.");
}

async function openDesktop(root: string, folder: string): Promise<void> {
	const code = DesktopCode.start(path.join(root, "desktop"), folder, settingsIn(root));
	onSignal(() => code.stop());
	console.log(
		`\nMuster runs in a new VS Code window on ${folder}\n\n${firstSteps}\n\nCtrl-C, or closing the window, ends it.`,
	);
	await code.ended;
}

async function serve(root: string, folder: string, wantedPort: string | undefined): Promise<void> {
	await installVscode();
	const connectionToken = randomBytes(12).toString("hex");
	const server = await VscodeServer.start({
		root: path.join(root, "web"),
		port: await choosePort(root, wantedPort),
		extensions: [projectRoot],
		open: folder,
		settings: settingsIn(root),
		connectionToken,
		extraArgs: [`--default-folder=${folder}`],
	});
	fs.writeFileSync(path.join(root, "port"), String(server.port));
	let isWanted = true;
	onSignal(() => {
		isWanted = false;
		return server.stop();
	});
	const url = `http://127.0.0.1:${server.port}/?tkn=${connectionToken}`;
	console.log(
		`\nMuster runs in VS Code at\n\n  ${url}\n\n${firstSteps}\n\nThe folder is ${folder}. Ctrl-C ends it all.`,
	);
	const exitCode = await server.ended;
	if (isWanted) throw new Error(`VS Code's server ended by itself with ${exitCode}. See ${server.logFile}`);
}

/** The same port each time where possible, because the browser keeps VS Code's state by it. */
async function choosePort(root: string, wanted: string | undefined): Promise<number> {
	if (wanted !== undefined) {
		const port = Number(wanted);
		if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--port ${wanted} is not a port.`);
		if (!(await isFree(port))) throw new Error(`Port ${wanted} is in use. Choose another, or leave --port out.`);
		return port;
	}
	const file = path.join(root, "port");
	const last = fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) : 0;
	return (await isFree(last)) ? last : 0;
}

async function isFree(port: number): Promise<boolean> {
	const server = net.createServer();
	try {
		server.listen(port, "127.0.0.1");
		await once(server, "listening");
		return true;
	} catch (error) {
		if (error instanceof Error && "code" in error) return false;
		throw error;
	} finally {
		server.close();
	}
}

function onSignal(stop: () => void | Promise<void>): void {
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
}

try {
	await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
