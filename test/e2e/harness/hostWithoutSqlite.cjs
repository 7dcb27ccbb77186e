// Preloaded into VS Code's server: its extension hosts get a Node that has no node:sqlite. VS Code drops NODE_OPTIONS, so
// this is the one way to have one here.
const childProcess = require("node:child_process");
const { syncBuiltinESMExports } = require("node:module");

const { fork } = childProcess;
childProcess.fork = (file, args, options) => {
	const isExtensionHost = Array.isArray(args) && args.includes("--type=extensionHost");
	const execArgv = [...(options?.execArgv ?? []), ...(isExtensionHost ? ["--no-experimental-sqlite"] : [])];
	return fork(file, args, { ...options, execArgv });
};
syncBuiltinESMExports();
