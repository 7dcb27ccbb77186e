/** How many run at once, and how long they stay in the lists, as the configuration says. */
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../../src/core/runtime.ts";
import type { RuntimeOptions } from "../../../../src/core/runtimeOptions.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { TaskModel } from "../../../fakes/taskModel.ts";
import { temporaryFolder, withFiles } from "../../../fakes/temporaryFolder.ts";

const repoFiles = { ".agents/agents/scout.md": anAgentFile("scout") };
const defaults = (...lines: string[]) => `[agents.defaults.subagents]\n${lines.join("\n")}\n`;

async function spawned(runtime: Runtime, request: object): Promise<string> {
	const answer = await runtime.spawn(request);
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

describe("the caps of the configuration", () => {
	const hang = (index: number, role?: string) => ({ agent: "scout", task: `Hang ${index}`, ...(role && { role }) });
	const states = (runtime: Runtime) => runtime.runs.list().map(({ state }) => state);

	async function hanging(config: string, requests: readonly object[], options: Partial<RuntimeOptions> = {}) {
		const homeFolder = temporaryFolder({ ".agents/config.toml": config });
		const repoFolder = temporaryFolder(repoFiles);
		const runtime = await aRuntime(new TaskModel(), { homeFolder, repoFolder, laneLimit: () => undefined, ...options });
		for (const request of requests) await spawned(runtime, request);
		return { runtime, homeFolder };
	}

	it("hold all subagents to max_concurrent, and one that is raised holds from the next spawn on", async () => {
		const { runtime, homeFolder } = await hanging(defaults("max_concurrent = 1"), [hang(1), hang(2), hang(3)]);
		await expect.poll(() => states(runtime).toSorted()).toEqual(["queued", "queued", "running"]);
		withFiles(homeFolder, { ".agents/config.toml": defaults("max_concurrent = 3") });
		await spawned(runtime, hang(4));
		await expect.poll(() => states(runtime).toSorted()).toEqual(["queued", "running", "running", "running"]);
	});

	it("hold a role to its own, and let others pass", async () => {
		const config = defaults("role_max_concurrent = { qa = 1 }");
		const { runtime } = await hanging(config, [hang(1, "qa"), hang(2, "qa"), hang(3)]);
		const running = () =>
			runtime.runs
				.list()
				.filter(({ state }) => state === "running")
				.map(({ task }) => task);
		await expect.poll(() => running().toSorted()).toEqual(["Hang 1", "Hang 3"]);
	});

	it("give way to the setting of the lane", async () => {
		const options = { laneLimit: () => 2 };
		const { runtime } = await hanging(defaults("max_concurrent = 1"), [hang(1), hang(2), hang(3)], options);
		await expect.poll(() => states(runtime).toSorted()).toEqual(["queued", "running", "running"]);
	});

	it("archive what has ended after archive_after_minutes", async () => {
		const clock = new ManualClock();
		const homeFolder = temporaryFolder({ ".agents/config.toml": defaults("archive_after_minutes = 3") });
		const runtime = await aRuntime(new ScriptedModel({ text: "Done. SUMMARY: Done." }), { clock, homeFolder });
		const told = new Promise((resolve) => runtime.onDidAnnounce(resolve));
		await untilRun(runtime, await spawned(runtime, { agent: "scout", task: "Look" }), hasEnded);
		await told;
		const start = clock.now();
		const left = () => {
			clock.advance(60_000);
			return runtime.runs.list().length;
		};
		await expect.poll(left, { interval: 2, timeout: 10_000 }).toBe(0);
		expect(clock.now() - start).toBeGreaterThanOrEqual(180_000);
	});
});
