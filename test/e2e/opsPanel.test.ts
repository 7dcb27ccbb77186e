import type { Frame } from "playwright-core";
import { describe, expect, it } from "vitest";
import { until } from "../vscode/until.ts";
import { seriousFaults } from "./harness/axe.ts";
import { demoScript } from "./harness/demoScript.ts";
import { picture } from "./harness/picture.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnSubagent } from "./harness/spawnSubagent.ts";
import { storedRuns } from "./harness/storedRuns.ts";
import { startVSCode } from "./harness/vscode.ts";
import type { Workbench } from "./harness/workbench.ts";

const script = demoScript([
	{
		when: "Watch the tax",
		turns: [
			{ text: "I keep watching.", calls: [{ tool: "grep", input: { pattern: "rate" } }] },
			{ text: "", hangs: true },
		],
	},
	{ when: "Ask the oracle", turns: [{ text: "", error: { message: "The oracle does not answer", retryable: false } }] },
]);

function openPanel(workbench: Workbench): Promise<Frame> {
	return workbench.run("Muster: Open Ops Panel").then(() => workbench.frameWith("[role=tab]", "Runs"));
}

describe("the ops panel", () => {
	it("shows runs live, stops one and opens transcripts, by mouse and keyboard, in both themes, and comes back after a reload", async () => {
		const settings = {
			"workbench.colorTheme": "Light Modern",
			"muster.demo.script": script,
			"muster.demo.pace": "off",
			"muster.notifications.finished": false,
		};
		const { workbench, server } = await startVSCode({ open: sampleWorkspace(), settings });
		let panel = await openPanel(workbench);
		await panel.getByText("Nothing has run here yet").waitFor();

		await panel.getByRole("button", { name: "Spawn" }).click();
		await workbench.quickInput.shows("Which agent?");
		await workbench.quickInput.pick("code-analyst");
		await workbench.quickInput.answer("What is it to do?", "Find bugs in the discount calculation");
		await panel.getByRole("row", { name: /Find bugs in the discount calculation, ok/u }).waitFor({ timeout: 60_000 });

		await spawnSubagent(workbench, "test-scout", "Watch the tax");
		await spawnSubagent(workbench, "docs-writer", "Ask the oracle");
		await spawnSubagent(workbench, "docs-writer", "Summarise the README");
		await panel.getByRole("row", { name: /Summarise the README, ok/u }).waitFor({ timeout: 60_000 });
		await panel.getByRole("row", { name: /Ask the oracle, error/u }).waitFor();
		const watching = panel.getByRole("row", { name: /Watch the tax, running/u });
		await watching.getByText("grep rate").waitFor();
		expect(await seriousFaults(panel)).toEqual([]);
		await workbench.run("Notifications: Clear All Notifications");
		await workbench.run("View: Close Primary Side Bar");
		await workbench.screenshot(picture("panel-light"));
		await workbench.setTheme("Dark Modern");
		panel = await workbench.frameWith("body.vscode-dark [role=tab]", "Runs");
		await panel.getByRole("row", { name: /Watch the tax, running/u }).waitFor();
		expect(await seriousFaults(panel)).toEqual([]);
		await workbench.screenshot(picture("panel-dark"));

		await panel.getByRole("row", { name: /Watch the tax, running/u }).click();
		await workbench.page.keyboard.press("s");
		await panel.getByText("Stop this run?").waitFor();
		await workbench.page.keyboard.press("Enter");
		await panel.getByRole("row", { name: /Watch the tax, stopped/u }).waitFor();
		expect(storedRuns(server).map(({ state }) => state)).toEqual(["ok", "canceled", "error", "ok"]);

		await panel.getByRole("row", { name: /Ask the oracle/u }).dblclick();
		await until("the transcript to show", async () =>
			(await workbench.editorText()).includes("The oracle does not answer"),
		);

		await workbench.tab("Muster").click();
		await workbench.reload();
		panel = await workbench.frameWith("[role=tab]", "Runs");
		await panel.getByRole("row", { name: /Watch the tax, stopped/u }).waitFor({ timeout: 60_000 });
		await expect.poll(() => panel.getByRole("row").count()).toBe(5);
	});
});
