/** Stop: the order of what happens, and what is left. How long it takes is the machine's business. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelPart, ModelRequest } from "../../../../src/core/models/modelPort.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { aCall } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";
import { isRunning } from "../processes/isRunning.ts";

const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };

/** A command that starts another one, says who both are, and does not end. */
const tree = `import { spawn } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "ignore" });
writeFileSync("pids.new", JSON.stringify([process.pid, child.pid]));
renameSync("pids.new", "pids");
setInterval(() => undefined, 1000);
`;

/** Writes down which streams were closed, in order. */
class ListeningModel extends TwoFacedModel {
	readonly closed: string[] = [];

	override async *stream(request: ModelRequest): AsyncGenerator<ModelPart> {
		const isChild = request.system.includes("# Subagent Context");
		request.signal.addEventListener("abort", () => this.closed.push(isChild ? "child" : "main"), { once: true });
		yield* super.stream(request);
	}
}

describe("stopping a main agent", { timeout: 30_000 }, () => {
	it("is seen at once, by its subagents first, and no run ends before the processes that it started are dead", async () => {
		const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout"), "tree.mjs": tree });
		const homeFolder = temporaryFolder({ ".agents/config.toml": '[permissions]\nallow = ["shell(node tree.mjs)"]\n' });
		const spawn = (id: string) => aCall("sessions_spawn", { agent: "scout", task: "Look" }, id);
		const model = new ListeningModel(
			[{ calls: [spawn("c1")] }, { calls: [spawn("c2")] }, { text: "Half", hangs: "politely" }],
			[{ text: "Half", hangs: "politely" }, { calls: [aCall("shell", { command: "node tree.mjs" })] }],
		);
		const runtime = await aRuntime(model, { repoFolder, homeFolder });
		const turn = await runtime.control.startTurn(chat, "Go");
		const pidsFile = path.join(repoFolder, "pids");
		await expect.poll(() => existsSync(pidsFile), { timeout: 20_000 }).toBe(true);
		await expect.poll(() => model.mainRequests.length).toBe(3);
		await expect.poll(() => model.childRequests.length).toBe(2);
		const pids = JSON.parse(readFileSync(pidsFile, "utf8")) as number[];
		expect(pids.map(isRunning)).toEqual([true, true]);
		const living: unknown[] = [];
		runtime.onEvent(({ type, runId }) => {
			const run = runtime.runs.get(runId);
			if (type === "subagent.ended" && run?.kind === "subagent") living.push(pids.filter(isRunning));
		});

		await runtime.stop(turn.id);
		// Nothing is polled and no time has to pass: with the answer each of them has seen it.
		expect(model.closed.at(-1)).toBe("main");
		expect(model.closed.filter((who) => who === "child")).toHaveLength(2);
		const last = [...model.mainRequests, ...model.childRequests].filter(({ signal }) => !signal.aborted);
		expect(last).toEqual([]);

		for (const { id } of runtime.runs.list()) {
			expect(await untilRun(runtime, id, hasEnded)).toMatchObject({ state: "canceled" });
		}
		expect(living).toHaveLength(2);
		expect(living.at(-1)).toEqual([]);
		expect(pids.map(isRunning)).toEqual([false, false]);
	});
});
