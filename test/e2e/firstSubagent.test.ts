import { describe, expect, it } from "vitest";
import { until } from "../vscode/until.ts";
import { demoScript } from "./harness/demoScript.ts";
import { picture } from "./harness/picture.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnSubagent } from "./harness/spawnSubagent.ts";
import { storedAnnouncements, storedRuns } from "./harness/storedRuns.ts";
import { startVSCode } from "./harness/vscode.ts";

describe("the first subagent", () => {
	it("is spawned from the palette, works with real tools, announces its result, and is there after a reload", async () => {
		const vscode = await startVSCode({ open: sampleWorkspace(), settings: { "workbench.colorTheme": "Light Modern" } });
		const { workbench, server } = vscode;
		await spawnSubagent(workbench, "code-analyst", "Find bugs in the discount calculation");

		const running = /Find bugs in the discount calculation, running · \d+s/u;
		await workbench.row(running).waitFor();
		await workbench.status("muster.muster.muster.status").filter({ hasText: "1 running (Demo)" }).waitFor();
		await workbench.row(/running · \d+s · (list_dir|read_file|grep) /u).waitFor();

		await workbench.row(/Find bugs in the discount calculation, finished/u).waitFor({ timeout: 60_000 });
		await workbench.notifications.toast(/code-analyst: “Find bugs in the discount calculation” finished/u).waitFor();
		expect(storedRuns(server)).toMatchObject([{ state: "ok" }]);
		expect(storedAnnouncements(server)[0]).toMatch(
			/^\[Subagent\] "Find bugs in the discount calculation" completed successfully\n/u,
		);

		await workbench.notifications.pressToastButton(/finished/u, "Open Transcript");
		await until("the transcript to show", async () =>
			(await workbench.editorText()).includes("# Find bugs in the discount calculation"),
		);
		const transcript = await workbench.editorText();
		expect(transcript).toContain("Demo: follows rules, does not think");
		expect(transcript).toContain("→ list_dir");

		await spawnSubagent(workbench, "test-scout", "Which functions have no test?");
		await workbench.row(/Which functions have no test\?, running/u).waitFor();
		await workbench.screenshot(picture("subagents-light"));
		await workbench.setTheme("Dark Modern");
		await workbench.screenshot(picture("subagents-dark"));
		await workbench.row(/Which functions have no test\?, finished/u).waitFor({ timeout: 60_000 });

		await workbench.reload();
		await workbench.openContainer("Muster");
		await workbench.row(/Find bugs in the discount calculation, finished/u).waitFor({ timeout: 60_000 });
		await workbench.row(/Which functions have no test\?, finished/u).click();
		await until("the transcript to show again", async () =>
			(await workbench.editorText()).includes("# Which functions have no test?"),
		);
		expect(storedAnnouncements(server)).toHaveLength(2);
	});

	it("shows its transcript while it runs, stops mid-stream, and keeps what was said until then", async () => {
		const script = demoScript([{ when: "Talk", turns: [{ text: "I begin and do not end.", hangs: true }] }]);
		const settings = { "muster.demo.script": script };
		const { workbench, server } = await startVSCode({ open: sampleWorkspace(), settings });
		await spawnSubagent(workbench, "code-analyst", "Talk");
		await workbench.row(/Talk, running/u).click();
		const transcript = (text: string) => async () => (await workbench.editorText()).includes(text);
		await until("the transcript to follow the run", transcript("I begin and do not end."));
		await workbench.rowAction(/Talk, running/u, "Stop Subagent");
		await workbench.row(/Talk, stopped/u).waitFor();
		expect(storedRuns(server)).toMatchObject([{ state: "canceled" }]);
		await until("the transcript to say that it was stopped", transcript("> Stopped."));
		await expect.poll(() => workbench.editorText()).toContain("I begin and do not end.");
	});

	it("queues when the lane is full, shows its place, and starts when there is room", async () => {
		const script = demoScript([{ when: "Hold", turns: [{ text: "I hold the lane.", hangs: true }] }]);
		const settings = { "muster.demo.script": script, "muster.lanes.subagent": 1, "muster.demo.pace": "off" };
		const { workbench, server } = await startVSCode({ open: sampleWorkspace(), settings });
		await spawnSubagent(workbench, "code-analyst", "Hold the lane");
		await workbench.row(/Hold the lane, running/u).waitFor();
		await spawnSubagent(workbench, "code-analyst", "Look at the cart");
		await workbench.row(/Look at the cart, queued #1/u).waitFor();
		await workbench.rowAction(/Hold the lane, running/u, "Stop Subagent");
		await workbench.row(/Look at the cart, finished/u).waitFor({ timeout: 60_000 });
		expect(storedRuns(server).map(({ state }) => state)).toEqual(["canceled", "ok"]);
	});
});
