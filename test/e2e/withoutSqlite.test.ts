import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { startVSCode } from "./harness/vscode.ts";

describe("a VS Code whose Node has no SQLite", () => {
	it("says so once, with the version that is needed, in a notification and in the view, and throws nothing", async () => {
		const preload = fileURLToPath(new URL("harness/hostWithoutSqlite.cjs", import.meta.url));
		const vscode = await startVSCode({ open: sampleWorkspace(), nodeArgs: ["--require", preload] });
		const { workbench, server } = vscode;
		await workbench.openContainer("Muster");
		const needed = /Muster needs the SQLite that comes with VS Code 1\.101 or newer.*update VS Code/u;
		await workbench.page.locator(".part.sidebar").getByText(needed).first().waitFor();
		await workbench.run("Muster: Open Ops Panel");
		const panel = await workbench.frameWith("[role=tab]", "Runs");
		await panel.getByText(needed).waitFor();
		const told = await workbench.notifications.texts();
		expect(told.filter((text) => needed.test(text))).toHaveLength(1);
		// VS Code writes the notification itself to the console, as an error; an exception would bring a stack.
		const exceptions = vscode.witness.console.filter(
			(line) => /muster/iu.test(line) && /uncaught|\n\s+at /iu.test(line),
		);
		expect(exceptions).toEqual([]);
		expect(server.extensionLog("muster.muster")).not.toMatch(/\[error\]/u);
	});
});
