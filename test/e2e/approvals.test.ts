import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../vscode/until.ts";
import { demoScript } from "./harness/demoScript.ts";
import { picture } from "./harness/picture.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnSubagent } from "./harness/spawnSubagent.ts";
import { startVSCode } from "./harness/vscode.ts";

const edit = {
	path: "src/tax.js",
	old_string: 'return kind === "book" ? 0.07 : 0.19;',
	new_string: 'if (kind === "gift-card") return 0;\n\treturn kind === "book" ? 0.07 : 0.19;',
};
const script = () =>
	demoScript([
		{
			when: "Exempt gift cards",
			turns: [
				{ text: "I read the rule.", calls: [{ tool: "read_file", input: { path: "src/tax.js" } }] },
				{ text: "Now I change it.", calls: [{ tool: "edit_file", input: edit }] },
				{ text: "And I test it.", calls: [{ tool: "shell", input: { command: "echo all 7 tests passed" } }] },
				{ text: "Gift cards are not taxed any more.\n\nSUMMARY: Gift cards are exempt." },
			],
		},
		{
			when: "Delete the tests",
			turns: [
				{ text: "Away with them.", calls: [{ tool: "shell", input: { command: "rm -rf test" } }] },
				{ text: "Then not.\n\nSUMMARY: Left the tests alone." },
			],
		},
	]);

describe("approvals", () => {
	it("show what a subagent wants to the byte, let it go on when allowed, and stop it when denied", async () => {
		const folder = sampleWorkspace();
		const settings = {
			"muster.demo.script": script(),
			"muster.demo.pace": "off",
			"workbench.colorTheme": "Light Modern",
		};
		const { workbench } = await startVSCode({ open: folder, settings });
		const { page, notifications, quickInput } = workbench;
		const source = path.join(folder, "src/tax.js");

		await spawnSubagent(workbench, "fixer", "Exempt gift cards");
		const write = /fixer asks to write src\/tax\.js\. No rule allows it/u;
		await workbench.row(write).waitFor();
		await workbench.row(/Exempt gift cards, waiting for you/u).waitFor();
		await expect.poll(() => workbench.badge("Muster")).toBe("1");
		await workbench.row(write).click();
		await page.locator(".monaco-diff-editor").getByText("gift-card").first().waitFor();
		expect(fs.readFileSync(source, "utf8")).not.toContain("gift-card");
		await workbench.screenshot(picture("approvals-light"));
		await workbench.setTheme("Dark Modern");
		await workbench.screenshot(picture("approvals-dark"));

		await workbench.rowAction(write, "Allow Once");
		await until("the file to be changed", () => fs.readFileSync(source, "utf8").includes("gift-card"));
		await notifications.pressToastButton(/fixer wants to run echo all 7 tests passed/u, "Allow Once");
		await workbench.row(/Exempt gift cards, finished/u).waitFor({ timeout: 60_000 });
		await workbench.row(/Exempt gift cards, finished/u).dblclick();
		await page.locator(".tab.active").filter({ hasText: "Exempt gift cards" }).waitFor();
		await page.keyboard.press("Control+End");
		await until("the transcript to say who allowed what", async () => {
			const text = await workbench.editorText();
			return text.includes("Allowed once, in the Approvals view") && text.includes("in a notification");
		});

		await spawnSubagent(workbench, "fixer", "Delete the tests");
		await workbench.rowAction(/fixer asks to run rm -rf test/u, "Deny…");
		await quickInput.answer("What is the subagent to do instead?", "Never delete tests");
		await workbench.row(/Delete the tests, finished/u).waitFor({ timeout: 60_000 });
		expect(fs.existsSync(path.join(folder, "test/checkout.test.js"))).toBe(true);
		await workbench.row(/Delete the tests, finished/u).click();
		await page.locator(".tab.active").filter({ hasText: "Delete the tests" }).waitFor();
		await until("the words to be in the transcript", async () =>
			(await workbench.editorText()).includes("Never delete tests"),
		);
	});

	it("wait over a reload of the window, where the run they belong to is lost and nothing happens any more", async () => {
		const folder = sampleWorkspace();
		const settings = { "muster.demo.script": script(), "muster.demo.pace": "off" };
		const { workbench } = await startVSCode({ open: folder, settings });
		await spawnSubagent(workbench, "fixer", "Delete the tests");
		await workbench.row(/fixer asks to run rm -rf test/u).waitFor();
		await workbench.reload();
		await workbench.openContainer("Muster");
		await workbench.row(/Delete the tests, lost/u).waitFor({ timeout: 60_000 });
		await workbench.row(/fixer asks to run/u).waitFor({ state: "hidden" });
		expect(fs.existsSync(path.join(folder, "test/checkout.test.js"))).toBe(true);
	});
});
