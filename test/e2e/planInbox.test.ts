import { describe, expect, it } from "vitest";
import { until } from "../vscode/until.ts";
import { demoScript } from "./harness/demoScript.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnPlan } from "./harness/spawnSubagent.ts";
import { storedRuns } from "./harness/storedRuns.ts";
import { startVSCode } from "./harness/vscode.ts";
import type { Workbench } from "./harness/workbench.ts";

const plan = (title: string) => `# ${title}

1. Look at the rates.
2. Say what is there.

SUMMARY: It is looked at.

## Files

## Commands
`;
const titles = ["First", "Second", "Third", "Fourth", "Fifth"];
const settings = () => ({
	"muster.demo.script": demoScript([
		{ when: "is approved", turns: [{ text: "It is done.\n\nSUMMARY: Looked at." }] },
		{ when: "Say less", turns: [{ text: plan("A shorter plan") }] },
		...titles.map((title) => ({ when: title, turns: [{ text: plan(title) }] })),
	]),
	"muster.demo.pace": "off",
});

const row = (title: string) => new RegExp(`fixer asks to approve its plan: ${title}`, "u");
const lens = ({ page }: Workbench, text: string) =>
	page.locator(".codelens-decoration a").filter({ hasText: text }).first();

/** Writes a remark at the cursor's line, as a person does with the keyboard. */
async function remark(workbench: Workbench, text: string): Promise<void> {
	await workbench.run("Comments: Add Comment on Current Selection");
	const box = workbench.page.locator(".review-widget .comment-form .monaco-editor").first();
	await box.waitFor();
	await workbench.page.keyboard.type(text);
	await workbench.page.locator(".review-widget .form-actions .monaco-button").first().click();
	await workbench.page.locator(".comments-panel .monaco-list-row").filter({ hasText: text }).waitFor();
}

describe("plans that wait", () => {
	it("take remarks on their lines, which a reload keeps, and which become the reasons to plan again", async () => {
		const { workbench, server } = await startVSCode({ open: sampleWorkspace(), settings: settings() });
		const { page, quickInput } = workbench;
		await spawnPlan(workbench, "fixer", "First");
		await workbench.row(row("First")).click();
		await lens(workbench, "Approve").waitFor();
		await page.locator(".view-line").filter({ hasText: "Say what is there" }).first().click();
		await remark(workbench, "Say less");
		await workbench.reload();
		await workbench.openContainer("Muster");
		await workbench.row(row("First")).click();
		await lens(workbench, "Reject…").click();
		await quickInput.shows("What is to be different?");
		await until("the remark to stand in the box", async () =>
			/^Line 4 \(“2\. Say what is there\.”\): Say less$/u.test(await quickInput.widget.locator("input").inputValue()),
		);
		await page.keyboard.press("Enter");
		await lens(workbench, "This plan is rejected").waitFor();
		await workbench.reload();
		await workbench.openContainer("Muster");
		await workbench.row(row("Plan again: First")).click();
		await until("the new plan to show", async () => (await workbench.editorText()).includes("A shorter plan"));
		await workbench.rowAction(row("Plan again: First"), "Approve Plan");
		await workbench.notifications.toast(/finished\. Looked at/u).waitFor({ timeout: 60_000 });
		expect(storedRuns(server).map(({ cause }) => cause)).toEqual(["spawn", "plan", "plan"]);
	});

	it("are counted in one notification and in the status bar, and are answered one by one in two windows", async () => {
		const vscode = await startVSCode({ open: sampleWorkspace(), settings: settings() });
		const { workbench: first, server } = vscode;
		for (const title of titles) await spawnPlan(first, "fixer", title);
		await first.notifications.toast("Muster: 5 subagents wait for you.").waitFor({ timeout: 60_000 });
		await expect.poll(() => first.badge("Muster")).toBe("5");
		await first.status("muster.muster.muster.status").filter({ hasText: "5 wait for you" }).waitFor();

		const second = await vscode.openWindow();
		await second.openContainer("Muster");
		await second.rowAction(row("First"), "Approve Plan");
		await first.row(row("First")).waitFor({ state: "hidden" });
		await first.notifications.toast("Muster: 4 subagents wait for you.").waitFor({ timeout: 60_000 });
		await first.notifications.toast("Muster: 4 subagents wait for you.").getByText("Review").click();
		for (const title of titles.slice(1, 4)) {
			await first.rowAction(row(title), "Approve Plan");
			await first.row(row(title)).waitFor({ state: "hidden" });
		}
		await first.notifications.toast(/wait for you\./u).waitFor({ state: "hidden" });
		await until(
			"four plans to be carried out",
			() => storedRuns(server).filter(({ state, cause }) => state === "ok" && cause === "plan").length === 4,
		);
		await expect.poll(() => first.badge("Muster")).toBe("1");
	});

	it("are said again after a crash of VS Code, and an answer that comes second says who came first", async () => {
		const vscode = await startVSCode({ open: sampleWorkspace(), settings: settings() });
		await spawnPlan(vscode.workbench, "fixer", "First");
		const toast = /fixer has a plan: First\./u;
		await vscode.workbench.notifications.toast(toast).waitFor();
		await vscode.restart("crash");
		const { workbench: first } = vscode;
		await first.openContainer("Muster");
		await first.notifications.toast(toast).waitFor({ timeout: 60_000 });
		const second = await vscode.openWindow();
		await second.openContainer("Muster");
		await second.rowAction(row("First"), "Approve Plan");
		await first.row(row("First")).waitFor({ state: "hidden" });
		await first.notifications.pressButton(toast, "Approve");
		await first.notifications.toast(/This plan was approved before \(/u).waitFor();
		expect(storedRuns(vscode.server).map(({ cause }) => cause)).toEqual(["spawn", "plan"]);
	});

	it("are there under Do Not Disturb, and in the notification centre when their toast has gone", async () => {
		const { workbench } = await startVSCode({ open: sampleWorkspace(), settings: settings() });
		await workbench.run("Notifications: Toggle Do Not Disturb Mode");
		await spawnPlan(workbench, "fixer", "First");
		await workbench.row(row("First")).waitFor();
		await expect.poll(() => workbench.badge("Muster")).toBe("1");
		await workbench.status("muster.muster.muster.status").filter({ hasText: "1 waits for you" }).waitFor();
		expect(await workbench.notifications.toast(/has a plan/u).count()).toBe(0);
		await workbench.notifications.pressButton(/fixer has a plan: First\./u, "Approve");
		await workbench.row(/Carry out|First, finished/u).waitFor({ timeout: 60_000 });
		await workbench.row(row("First")).waitFor({ state: "hidden" });
	});

	it("that were saved in another window meanwhile are not written over, and are approved as saved", async () => {
		const vscode = await startVSCode({ open: sampleWorkspace(), settings: { ...settings(), "files.autoSave": "off" } });
		const { workbench: first, server } = vscode;
		await spawnPlan(first, "fixer", "First");
		const second = await vscode.openWindow();
		await second.openContainer("Muster");
		for (const [workbench, words] of [
			[first, "left"],
			[second, "right"],
		] as const) {
			await workbench.row(row("First")).click();
			await lens(workbench, "Approve").waitFor();
			await workbench.page.locator(".view-line").filter({ hasText: "Look at the rates" }).first().click();
			await workbench.page.keyboard.press("End");
			await workbench.page.keyboard.type(` ${words}`);
		}
		await second.page.keyboard.press("Control+S");
		await lens(second, "What was edited").waitFor();
		await first.page.keyboard.press("Control+S");
		await first.notifications.toast(/Failed to save .*newer/u).waitFor();
		await first.rowAction(row("First"), "Approve Plan");
		await first.notifications.toast(/approved as it was saved last/u).waitFor();
		await until("the plan to be carried out", () => storedRuns(server).length === 2);
		await second.row(row("First")).waitFor({ state: "hidden" });
		expect(await second.editorText()).not.toContain("left");
	});
});
