import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../vscode/until.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { startVSCode } from "./harness/vscode.ts";

describe("skills, servers and configuration", () => {
	it("are shown by layer, a skill is switched off and on from its row, and every value is explained", async () => {
		const folder = sampleWorkspace();
		const marker = path.join(folder, ".agents/skills/release-notes/.disabled");
		fs.writeFileSync(path.join(folder, ".agents/config.toml"), '[mcp_servers.files]\ncommand = "npx"\n');
		const { workbench } = await startVSCode({ open: folder });
		await workbench.openContainer("Muster");
		await workbench.page.locator('.pane-header[aria-label^="Skills"]').click();
		await workbench.row(/^release-notes, (?!disabled)/u).waitFor();
		await workbench.rowAction(/^release-notes, (?!disabled)/u, "Disable Skill");
		await workbench.row("release-notes, disabled").waitFor();
		expect(fs.existsSync(marker)).toBe(true);
		await workbench.rowAction("release-notes, disabled", "Enable Skill");
		await workbench.row(/^release-notes, (?!disabled)/u).waitFor();
		expect(fs.existsSync(marker)).toBe(false);

		await workbench.page.locator('.pane-header[aria-label^="MCP Servers"]').click();
		await workbench.row("files, stdio").waitFor();
		await workbench.run("Muster: Explain Configuration");
		await until("the explanation to show", async () => (await workbench.editorText()).includes("mcp_servers.files"));
		await expect.poll(() => workbench.editorText()).toContain(`${path.join(folder, ".agents/config.toml")}:1`);
	});
});
