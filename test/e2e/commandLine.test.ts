import { describe, expect, it } from "vitest";
import { demoScript } from "./harness/demoScript.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnSubagent } from "./harness/spawnSubagent.ts";
import { storedRuns } from "./harness/storedRuns.ts";
import { callMuster } from "./harness/terminal.ts";
import { startVSCode } from "./harness/vscode.ts";

const states = (server: Parameters<typeof storedRuns>[0]) => storedRuns(server).map(({ state }) => state);

describe("a terminal and a window on the same folder", () => {
	it("share one store: what either runs is seen and stopped from the other, and a window finds by itself what a killed terminal left", async () => {
		const script = demoScript([{ when: "Hold", turns: [{ text: "I begin and do not end.", hangs: true }] }]);
		const folder = sampleWorkspace();
		const { workbench, server } = await startVSCode({
			open: folder,
			settings: { "muster.demo.script": script, "muster.demo.pace": "off" },
		});
		const muster = (...words: string[]) => callMuster(server, folder, script, ...words);

		// No view of Muster is open, and there is no store yet when the window starts.
		const killed = muster("run", "code-analyst", "Hold the first line");
		await expect.poll(() => states(server), { timeout: 60_000 }).toEqual(["running"]);
		killed.process.kill("SIGKILL");
		await killed.ended;
		expect(states(server)).toEqual(["running"]);
		await workbench.reload();
		await expect.poll(() => states(server), { timeout: 60_000 }).toEqual(["lost"]);

		await workbench.openContainer("Muster");
		await workbench.row(/Hold the first line, lost/u).waitFor();
		const call = muster("run", "code-analyst", "Hold the second line");
		await workbench.row(/Hold the second line, running/u).waitFor({ timeout: 60_000 });
		await workbench.rowAction(/Hold the second line, running/u, "Stop Subagent");
		expect((await call.ended).code).toBe(1);
		await workbench.row(/Hold the second line, stopped/u).waitFor();

		await spawnSubagent(workbench, "code-analyst", "Hold the third line");
		await workbench.row(/Hold the third line, running/u).waitFor();
		const listed = await muster("list", "--state", "running", "--json").ended;
		const [run] = (JSON.parse(listed.out) as { runs: { runId: string; task: string }[] }).runs;
		expect(run?.task).toBe("Hold the third line");
		expect((await muster("stop", run?.runId ?? "").ended).code).toBe(0);
		await workbench.row(/Hold the third line, stopped/u).waitFor();
		expect(states(server)).toEqual(["lost", "canceled", "canceled"]);
		expect((await muster("verify").ended).code).toBe(0);
	});
});
