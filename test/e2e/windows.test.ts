import { describe, expect, it } from "vitest";
import { demoScript } from "./harness/demoScript.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnSubagent } from "./harness/spawnSubagent.ts";
import { storedAnnouncements, storedRuns } from "./harness/storedRuns.ts";
import { startVSCode } from "./harness/vscode.ts";

const settings = () => ({
	"muster.demo.script": demoScript([
		{ when: "cut off", turns: [{ text: "I go on.\n\nSUMMARY: Done after all." }] },
		{ when: "Hold", turns: [{ text: "I begin and do not end.", hangs: true }] },
	]),
	"muster.demo.pace": "off",
	"muster.lanes.subagent": 1,
});

describe("subagents and the windows they run in", () => {
	it("are lost once after a crash of VS Code, told once, and go on from their row; what was queued starts when somebody says so", async () => {
		const vscode = await startVSCode({ open: sampleWorkspace(), settings: settings() });
		await spawnSubagent(vscode.workbench, "code-analyst", "Hold the line");
		await vscode.workbench.row(/Hold the line, running/u).waitFor();
		await spawnSubagent(vscode.workbench, "code-analyst", "Look at the cart");
		await vscode.workbench.row(/Look at the cart, queued #1 · \d+s · 1 of 1 are at work/u).waitFor();

		await vscode.restart("crash");
		const { workbench, server } = vscode;
		await workbench.openContainer("Muster");
		await workbench.row(/Hold the line, lost/u).waitFor({ timeout: 60_000 });
		await workbench.row(/Look at the cart, parked/u).waitFor();
		expect(storedAnnouncements(server)).toHaveLength(1);

		await workbench.rowAction(/Hold the line, lost/u, "Resume Subagent");
		await workbench.row(/Hold the line, finished/u).waitFor({ timeout: 60_000 });
		await workbench.run("Muster: Resume Parked Subagents");
		await workbench.dialog(/• code-analyst: Look at the cart \(.*\)/u).waitFor();
		await workbench.pressDialogButton(/Resume one parked subagent\?/u, "Resume");
		await workbench.row(/Look at the cart, finished/u).waitFor({ timeout: 60_000 });
		expect(storedRuns(server).map(({ state }) => state)).toEqual(["lost", "ok", "ok"]);
	});

	it("are lost by a reload in the middle, and a message sent to one is answered with its history", async () => {
		const { workbench, server } = await startVSCode({ open: sampleWorkspace(), settings: settings() });
		await spawnSubagent(workbench, "code-analyst", "Hold the line");
		await workbench.row(/Hold the line, running/u).waitFor();
		await workbench.reload();
		await workbench.openContainer("Muster");
		await workbench.row(/Hold the line, lost/u).waitFor({ timeout: 60_000 });
		await workbench.rowMenu(/Hold the line, lost/u, "Send Message to Subagent…");
		await workbench.quickInput.answer("It has ended", "You were cut off: what is there?");
		await workbench.row(/You were cut off: what is there\?, finished/u).waitFor({ timeout: 60_000 });
		expect(storedRuns(server).map(({ state }) => state)).toEqual(["lost", "ok"]);

		await workbench.rowAction(/Hold the line, lost/u, "Remove Subagent");
		await workbench.row(/Hold the line, lost/u).waitFor({ state: "hidden" });
		await workbench.notifications.pressToastButton(/“Hold the line” has left the list/u, "Undo");
		await workbench.row(/Hold the line, lost/u).waitFor();
	});

	it("run in one window and are seen, and stopped, in another on the same folder", async () => {
		const vscode = await startVSCode({ open: sampleWorkspace(), settings: settings() });
		const { workbench: first, server } = vscode;
		await spawnSubagent(first, "code-analyst", "Hold the line");
		await first.row(/Hold the line, running/u).waitFor();
		const second = await vscode.openWindow();
		await second.openContainer("Muster");
		await second.row(/Hold the line, running/u).waitFor({ timeout: 60_000 });
		await spawnSubagent(second, "code-analyst", "Look at the cart");
		await first.row(/Look at the cart, queued #1/u).waitFor();
		await second.rowAction(/Hold the line, running/u, "Stop Subagent");
		await first.row(/Hold the line, stopped/u).waitFor();
		await first.row(/Look at the cart, finished/u).waitFor({ timeout: 60_000 });
		expect(storedRuns(server).map(({ state }) => state)).toEqual(["canceled", "ok"]);
	});
});
