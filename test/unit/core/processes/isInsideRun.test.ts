import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listGroups } from "../../../../src/core/processes/groupRecords.ts";
import { ProcessGroups } from "../../../../src/core/processes/processGroup.ts";
import { systemClock } from "../../../../src/core/ports/clock.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const program = path.join(import.meta.dirname, "insideRun.ts");

/** Runs a script as a subagent's shell does, and gives what the program found that it starts. */
async function found(script: string, storeFolder = temporaryFolder()): Promise<boolean> {
	const file = path.join(temporaryFolder(), "found.json");
	const processes = new ProcessGroups({ clock: systemClock, graceMs: 200, storeFolder });
	onTestFinished(async () => void (await processes.close()));
	const words = { NODE: process.execPath, PROGRAM: program, FILE: file, STORE: storeFolder };
	const env = { PATH: process.env["PATH"] ?? "", ...words };
	await processes.start("bash", ["-c", script], { cwd: storeFolder, env, owner: "run_1" });
	await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);
	await processes.close();
	return (JSON.parse(readFileSync(file, "utf8")) as { isInside: boolean }).isInside;
}

const ask = '"$NODE" "$PROGRAM" "$FILE" "$STORE"';

describe.runIf(process.platform === "linux")("a program", { timeout: 40_000 }, () => {
	it.each([
		["that has the marker", ask],
		["that took the shell's place without the marker", `exec env -i ${ask}`],
		["below a shell, without the marker", `env -i ${ask}; true`],
		["whose parent has gone, without the marker", `(env -i ${ask} &)`],
		["in a group of its own, without the marker", `set -m; env -i ${ask} & sleep 30`],
		["in a session of its own, without the marker", `env -i setsid --wait ${ask}; true`],
	])("%s is inside the run that started it", async (_, script) => {
		expect(await found(script)).toBe(true);
	});

	it("is not, once the group's owner has ended or has ended it, whose number may be anybody's then", async () => {
		const storeFolder = temporaryFolder({ "groups/1.4194999/x": "" });
		await found(ask, storeFolder);
		expect([...listGroups(storeFolder)]).toEqual([]);
		const next = new ProcessGroups({ clock: systemClock, storeFolder });
		expect(await next.reapAbandoned()).toEqual([]);
		expect(readdirSync(path.join(storeFolder, "groups"))).toEqual([]);
	});
});
