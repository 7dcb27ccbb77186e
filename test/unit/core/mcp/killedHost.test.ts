/** The process that has started a server is killed, and nothing of it is left to tidy up. */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../../../src/core/ports/clock.ts";
import { ProcessGroups } from "../../../../src/core/processes/processGroup.ts";
import { signalProcess } from "../../../../src/core/processes/signalProcess.ts";
import { aRuntime } from "../../../fakes/aRuntime.ts";
import { aFaultLog, aFaultServer } from "../../../fakes/faultServers.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { isRunning } from "../processes/isRunning.ts";

vi.setConfig({ testTimeout: 30_000 });

/** A process that holds a server with these faults. The server and what it has started are gone when the test is. */
async function aHost(faults: readonly string[], storeFolder = temporaryFolder()) {
	const log = aFaultLog();
	const server = JSON.stringify(aFaultServer([...faults, log.argument]));
	const host = fork(new URL("../../../fakes/serverHost.ts", import.meta.url), [storeFolder, server]);
	const started = () =>
		log.read().flatMap((line) => (/^(?:start|child) /u.test(line) ? [Number(line.split(" ")[1])] : []));
	onTestFinished(() => {
		host.kill("SIGKILL");
		for (const pid of started()) signalProcess(pid, "SIGKILL");
	});
	await once(host, "message");
	return { host, storeFolder, pids: started(), living: () => started().filter(isRunning) };
}

async function kill({ host }: Pick<Awaited<ReturnType<typeof aHost>>, "host">): Promise<void> {
	host.kill("SIGKILL");
	await once(host, "exit");
}

const reaper = (storeFolder: string) => new ProcessGroups({ clock: systemClock, graceMs: 200, storeFolder });
const records = (storeFolder: string) => readdirSync(path.join(storeFolder, "groups"));

describe.runIf(process.platform === "linux")("a server whose host is killed", () => {
	it("ends by itself where it behaves", async () => {
		const host = await aHost([]);
		expect(host.living()).toHaveLength(1);
		await kill(host);
		await vi.waitFor(() => expect(host.living()).toEqual([]), { timeout: 10_000 });
	});

	it.for([
		{ id: "a grandchild that holds the pipes", faults: ["grandchild"] },
		{ id: "a grandchild in a session of its own", faults: ["orphan"] },
		{ id: "a server that minds neither the end of its input nor SIGTERM", faults: ["ignoreTerm", "grandchild"] },
	])("$id is ended by the next host of the store, and nothing is on record any more", async ({ faults }) => {
		const host = await aHost(faults);
		expect(host.pids).toHaveLength(2);
		await kill(host);
		expect(host.living()).not.toEqual([]);
		const ended = await reaper(host.storeFolder).reapAbandoned();
		expect(host.living()).toEqual([]);
		expect(ended.map(({ commandLine }) => commandLine)).toContain("sleep 1000");
		expect(records(host.storeFolder)).toEqual([]);
	});

	it("is ended, with a grandchild that has dropped its marker, as long as one of its group still has it", async () => {
		const host = await aHost(["ignoreTerm", "bareGrandchild"]);
		await kill(host);
		await reaper(host.storeFolder).reapAbandoned();
		expect(host.living()).toEqual([]);
	});

	it("is ended when the store is opened", async () => {
		const storeFolder = path.join(temporaryFolder(), "store");
		mkdirSync(storeFolder);
		const host = await aHost(["orphan", "ignoreTerm"], storeFolder);
		await kill(host);
		expect(host.living()).toHaveLength(2);
		await aRuntime(new ScriptedModel(), { storeFolder });
		await vi.waitFor(() => expect(host.living()).toEqual([]), { timeout: 10_000 });
	});

	it("is left alone while its host lives, and by a host of another store", async () => {
		const host = await aHost(["orphan", "ignoreTerm"]);
		expect(await reaper(host.storeFolder).reapAbandoned()).toEqual([]);
		expect(host.living()).toHaveLength(2);
		await kill(host);
		expect(await reaper(temporaryFolder()).reapAbandoned()).toEqual([]);
		expect(host.living()).toHaveLength(2);
	});

	it("is known to be dead also while nobody buries it", async () => {
		const { stdout, pid } = spawn("bash", ["-c", "true & echo $!; exec sleep 1000"], {
			stdio: ["ignore", "pipe", "ignore"],
		});
		onTestFinished(() => void (pid !== undefined && signalProcess(pid, "SIGKILL")));
		const [dead] = (await once(createInterface({ input: stdout }), "line")) as [string];
		await vi.waitFor(() => expect(isRunning(Number(dead))).toBe(false), { timeout: 10_000 });
		const storeFolder = temporaryFolder({ [`groups/4194999.${dead}/x`]: "", [`groups/4194999.${pid}/x`]: "" });
		await reaper(storeFolder).reapAbandoned();
		expect(records(storeFolder)).toEqual([`4194999.${pid}`]);
	});

	it("is not looked for by the number of a group alone, which may be somebody else's by now", async () => {
		const stranger = await aHost(["grandchild"]);
		const [group] = stranger.pids;
		const storeFolder = temporaryFolder({ [`groups/${group}.4194999/x`]: "" });
		expect(await reaper(storeFolder).reapAbandoned()).toEqual([]);
		expect(stranger.living()).toHaveLength(2);
		expect(records(storeFolder)).toEqual([]);
	});
});
