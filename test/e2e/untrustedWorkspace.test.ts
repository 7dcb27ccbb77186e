import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../vscode/until.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnSubagent } from "./harness/spawnSubagent.ts";
import { FileTrace } from "./harness/fileTrace.ts";
import { startVSCode } from "./harness/vscode.ts";

function hasStrace(): boolean {
	try {
		execFileSync("strace", ["-V"], { stdio: "pipe" });
		return true;
	} catch {
		return false;
	}
}

describe("a workspace that is not trusted", () => {
	it.skipIf(!hasStrace())(
		"shows its history and has no byte read, until it is trusted: then it works without a reload",
		async () => {
			const folder = sampleWorkspace();
			// VS Code's own extensions look at it, trusted or not; nobody but us looks at the rest.
			fs.rmSync(path.join(folder, "package.json"));
			const vscode = await startVSCode({ open: folder, settings: { "muster.demo.pace": "off" } });
			await spawnSubagent(vscode.workbench, "code-analyst", "Look at the cart");
			await vscode.workbench.row(/Look at the cart, finished/u).waitFor({ timeout: 60_000 });

			await vscode.restart("orderly", { asksForTrust: true });
			const { workbench, server } = vscode;
			const [host] = await until("the extension host", () => {
				const hosts = server.extensionHosts();
				return hosts.length > 0 && hosts;
			});
			const trace = FileTrace.attach(host ?? 0, path.join(server.root, "trace.txt"));
			await workbench.openContainer("Muster");
			await workbench.row(/Look at the cart, finished/u).waitFor({ timeout: 60_000 });
			await workbench.row(/Look at the cart, finished/u).click();
			await until("the transcript to show", async () => (await workbench.editorText()).includes("# Look at the cart"));
			await workbench.run("Muster: Spawn Subagent…");
			await workbench.notifications.toast(/no subagent can run in it, and nothing of it has been read/u).waitFor();
			await workbench.run("Muster: Set Up This Workspace");
			await workbench.notifications.toast(/nothing has been written to it/u).waitFor();
			await workbench.run("Muster: Open Ops Panel");
			const panel = await workbench.frameWith("[role=tab]", "Runs");
			await panel.getByText(/This workspace is not trusted/u).waitFor();
			expect(trace.filesOpenedIn(folder)).toEqual([]);

			await workbench.run("Workspaces: Manage Workspace Trust");
			await workbench.page
				.locator(".workspace-trust-editor")
				.getByRole("button", { name: "Trust", exact: true })
				.click();
			await panel.getByText(/This workspace is not trusted/u).waitFor({ state: "hidden" });
			await spawnSubagent(workbench, "code-analyst", "Look again");
			await workbench.openContainer("Muster");
			await workbench.row(/Look again, finished/u).waitFor({ timeout: 60_000 });
			expect(server.extensionHosts()).toEqual([host]);
			await until("the trace to show what is read now", () => trace.filesOpenedIn(folder).length > 0);
			expect(trace.filesOpenedIn(folder)).toContain(path.join(folder, ".agents/agents/code-analyst.md"));
			await trace.detach();
			expect(fs.existsSync(path.join(folder, "src/cart.js"))).toBe(true);
		},
	);
});
