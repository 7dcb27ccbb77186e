import { spawnSync } from "node:child_process";
import fs from "node:fs";

export interface RunningProcess {
	readonly pid: number;
	readonly commandLine: string;
}

/** The processes of one process group that run now. */
export function processesInGroup(groupId: number): RunningProcess[] {
	return fs.existsSync("/proc/self/stat") ? fromProc(groupId) : fromPs(groupId);
}

function fromProc(groupId: number): RunningProcess[] {
	const found: RunningProcess[] = [];
	for (const name of fs.readdirSync("/proc")) {
		const pid = Number(name);
		if (!Number.isInteger(pid)) continue;
		const stat = readOrEmpty(`/proc/${name}/stat`);
		// "pid (name) state parent group …", where the name may hold blanks and brackets
		const group = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
		if (Number(group) !== groupId) continue;
		found.push({ pid, commandLine: readOrEmpty(`/proc/${name}/cmdline`).replaceAll("\0", " ") });
	}
	return found;
}

/** Processes end between the listing and the reading: that is no failure, they are just not there any more. */
function readOrEmpty(file: string): string {
	try {
		return fs.readFileSync(file, "utf8");
	} catch (error) {
		if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return "";
		throw error;
	}
}

function fromPs(groupId: number): RunningProcess[] {
	const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,pgid=,args="], { encoding: "utf8" });
	return stdout.split("\n").flatMap((line) => {
		const [, pid, group, commandLine = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
		return Number(group) === groupId ? [{ pid: Number(pid), commandLine }] : [];
	});
}
