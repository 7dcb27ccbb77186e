import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../vscode/until.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { startVSCode } from "./harness/vscode.ts";

describe("agent files", () => {
	it("show up when they are written, say what is wrong where people look, and work once the quick fix is taken", async () => {
		const folder = sampleWorkspace();
		const file = path.join(folder, ".agents/agents/tester.md");
		const { workbench, server } = await startVSCode({ open: folder, settings: { "muster.demo.pace": "off" } });
		const { page, quickInput } = workbench;
		await workbench.openContainer("Muster");
		await workbench.row(/^agent code-analyst, Use to/u).waitFor();

		fs.writeFileSync(file, "---\nname: tester\ndescription: Tests.\ntools: [read_fiel]\n---\nYou test.\n");
		await workbench.row(/tester\.md cannot be loaded: There is no tool named "read_fiel"/u).waitFor();
		await expect.poll(() => workbench.badge("Muster")).toBe("1");
		await workbench.row(/tester\.md cannot be loaded/u).click();
		await page.locator(".monaco-editor .squiggly-error").first().waitFor();
		await page.locator(".statusbar-item[id='status.problems']").click();
		await page.locator(".markers-panel").getByText('There is no tool named "read_fiel"').waitFor();
		await page.locator(".markers-panel").getByText('There is no tool named "read_fiel"').dblclick();
		await page.locator("[id='status.editor.selection']").getByText("Ln 4,").waitFor();
		// From the palette, which asks everybody anew: the light bulb is there as soon as one of them has an answer. The click
		// brings the keyboard to the editor, which is on its way there from the Problems view.
		await page.locator(".monaco-editor .view-line").filter({ hasText: "read_fiel" }).getByText("read_fiel").click();
		await workbench.run("Quick Fix...");
		await page.locator(".action-widget").getByText('Change to "read_file"').click();
		await until("the file to be repaired", async () => (await workbench.editorText()).includes("[read_file]"));
		await page.keyboard.press("Control+S");
		await workbench.row(/^agent tester, Tests\./u).waitFor();
		await expect.poll(() => workbench.badge("Muster")).toBe("");

		await workbench.rowAction(/^agent tester, Tests\./u, "Spawn This Agent");
		await quickInput.answer("What is it to do?", "Look at the tests");
		await workbench.row(/Look at the tests, finished/u).waitFor({ timeout: 60_000 });

		fs.rmSync(path.join(folder, ".agents"), { recursive: true });
		await workbench.row(/^agent tester/u).waitFor({ state: "hidden" });
		fs.mkdirSync(path.join(folder, ".agents/agents"), { recursive: true });
		fs.writeFileSync(file, "---\nname: phoenix\ndescription: Is back.\n---\nYou rise.\n");
		await workbench.row(/^agent phoenix, Is back\./u).waitFor();

		fs.renameSync(path.join(folder, ".agents"), path.join(folder, "agents.old"));
		await workbench.row(/^agent phoenix/u).waitFor({ state: "hidden" });
		fs.renameSync(path.join(folder, "agents.old"), path.join(folder, ".agents"));
		await workbench.row(/^agent phoenix, Is back\./u).waitFor();
		// A checkout: hundreds of files at once, of which the last decides.
		const storm = Array.from({ length: 300 }, (_, index) => path.join(folder, `.agents/agents/storm-${index}.md`));
		for (const each of storm) fs.writeFileSync(each, "---\nname: storm\n");
		for (const each of storm) fs.rmSync(each);
		fs.writeFileSync(
			path.join(folder, ".agents/agents/calm.md"),
			"---\nname: calm\ndescription: Is calm.\n---\nYou rest.\n",
		);
		await workbench.row(/^agent calm, Is calm\./u).waitFor();
		await workbench
			.row(/^storm-\d+\.md cannot be loaded/u)
			.first()
			.waitFor({ state: "hidden" });

		const claude = path.join(folder, ".claude/agents");
		fs.mkdirSync(claude, { recursive: true });
		fs.writeFileSync(path.join(claude, "p.md"), "---\nname: phoenix\ndescription: Burns.\n---\nYou burn.\n");
		await workbench.row(/^agent phoenix, shadowed by .*tester\.md/u).waitFor();
		expect(server.extensionLog("muster.muster")).toContain('There is no tool named "read_fiel"');
	});
});
