import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../vscode/until.ts";
import { demoScript } from "./harness/demoScript.ts";
import { picture } from "./harness/picture.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnPlan } from "./harness/spawnSubagent.ts";
import { startVSCode } from "./harness/vscode.ts";
import type { Workbench } from "./harness/workbench.ts";

const plan = (file: string) => `# Exempt gift cards from tax

\`taxRate\` in \`src/tax.js\` gets a case of its own.

1. Return 0 for gift cards, before the rates.
2. Note the rule for readers.

SUMMARY: Gift cards get the rate 0.

## Files

- \`${file}\` the note

## Commands

- \`echo all 7 tests passed\`
`;
const script = () =>
	demoScript([
		{ when: "write it to NOTES.md", turns: [{ text: plan("NOTES.md") }] },
		{
			when: "is approved",
			turns: [
				{ text: "I write.", calls: [{ tool: "write_file", input: { path: "NOTES.md", content: "Gift cards: 0.\n" } }] },
				{ text: "I test.", calls: [{ tool: "shell", input: { command: "echo all 7 tests passed" } }] },
				{ text: "It is done.\n\nSUMMARY: Gift cards are exempt." },
			],
		},
		{
			when: "Exempt gift cards",
			turns: [
				{ text: "May I?", calls: [{ tool: "write_file", input: { path: "sneaky.txt", content: "x" } }] },
				{ text: plan("docs/notes.md") },
			],
		},
	]);

const lens = (workbench: Workbench, text: string) =>
	workbench.page.locator(".codelens-decoration a").filter({ hasText: text }).first();

describe("plan mode", () => {
	it("plans without changing anything, plans again with the reasons, and does what was approved", async () => {
		const folder = sampleWorkspace();
		const settings = {
			"muster.demo.script": script(),
			"muster.demo.pace": "off",
			"workbench.colorTheme": "Light Modern",
		};
		const { workbench } = await startVSCode({ open: folder, settings });
		const { notifications, quickInput, page } = workbench;
		await spawnPlan(workbench, "fixer", "Exempt gift cards");
		await notifications.pressToastButton(
			/fixer has a plan: Exempt gift cards\. It edits 1 file, runs 1 command/u,
			"Open Plan",
		);
		await page.locator(".tab.active").filter({ hasText: "Exempt gift cards.muster-plan" }).waitFor();
		await lens(workbench, "Approve").waitFor();
		await lens(workbench, "edits 1 file, runs 1 command").waitFor();
		expect(fs.existsSync(path.join(folder, "sneaky.txt"))).toBe(false);
		await workbench.row(/fixer asks to approve its plan: Exempt gift cards/u).waitFor();
		await workbench.screenshot(picture("plan-light"));
		await workbench.setTheme("Dark Modern");
		await workbench.screenshot(picture("plan-dark"));

		await lens(workbench, "Reject…").click();
		await quickInput.answer("What is to be different?", "write it to NOTES.md");
		await lens(workbench, "This plan is rejected").waitFor();
		const again = /fixer asks to approve its plan/u;
		await workbench.row(again).click();
		await until("the new plan to show", async () => (await workbench.editorText()).includes("NOTES.md"));
		await lens(workbench, "Approve").click();
		await until("the note to be written", () => fs.existsSync(path.join(folder, "NOTES.md")));
		await lens(workbench, "This plan is approved").waitFor();
		await notifications.toast(/Carry out|finished\. Gift cards are exempt/u).waitFor({ timeout: 60_000 });
		await workbench.row(again).waitFor({ state: "hidden" });
		await lens(workbench, "What was done").click();
		await until("what was done to stand beside the plan", async () => {
			const text = await workbench.editorText();
			return text.includes("[x] `NOTES.md` changed") && text.includes("[x] `echo all 7 tests passed` run");
		});
	});

	it("keeps a plan that waits, as it was edited, over a reload, and carries out what was saved", async () => {
		const folder = sampleWorkspace();
		const settings = { "muster.demo.script": script(), "muster.demo.pace": "off", "files.autoSave": "off" };
		const { workbench } = await startVSCode({ open: folder, settings });
		const { page, notifications } = workbench;
		await spawnPlan(workbench, "fixer", "Exempt gift cards");
		const row = /fixer asks to approve its plan: Exempt gift cards/u;
		await workbench.row(row).click();
		await lens(workbench, "Approve").waitFor();
		await page.locator(".view-line").filter({ hasText: "Exempt gift cards from tax" }).first().click();
		await page.keyboard.press("End");
		await page.keyboard.type(", carefully");
		await page.keyboard.press("Control+S");
		await lens(workbench, "What was edited").click();
		await page.locator(".monaco-diff-editor .line-insert").first().waitFor();
		await workbench.reload();
		await workbench.openContainer("Muster");
		await workbench.row(row).click();
		await until("the edited plan to be there", async () => (await workbench.editorText()).includes("carefully"));
		await workbench.rowAction(row, "Approve Plan");
		// The plan lists another file, so this one is asked.
		await workbench.rowAction(/fixer asks to write NOTES\.md/u, "Allow Once");
		await notifications.toast(/finished\. Gift cards are exempt/u).waitFor({ timeout: 60_000 });
		expect(fs.readFileSync(path.join(folder, "NOTES.md"), "utf8")).toBe("Gift cards: 0.\n");
	});
});
