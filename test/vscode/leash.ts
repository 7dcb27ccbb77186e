// usage: node leash.ts <command> [argument…]
//
// Runs a command and ends it, with all that it started in this process group, when standard input closes. The one who
// started the leash holds the other end of that pipe, so nothing is left behind, however that one dies.
import { spawn } from "node:child_process";

const killAfterMs = 4000;
const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

child.on("error", (error) => {
	process.stderr.write(`${command} cannot be started: ${error.message}\n`);
	process.exit(127);
});
child.on("exit", (code) => process.exit(code ?? 1));

// The leash belongs to the group that it signals, and has to outlive the polite request.
process.on("SIGTERM", () => undefined);
process.stdin.resume();
process.stdin.on("close", () => {
	process.kill(0, "SIGTERM");
	setTimeout(() => process.kill(0, "SIGKILL"), killAfterMs);
});
