import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../vscode/until.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnSubagent } from "./harness/spawnSubagent.ts";
import { storedRuns } from "./harness/storedRuns.ts";
import { startVSCode } from "./harness/vscode.ts";

const quick = { "muster.demo.pace": "off" };

/** A home folder for Muster's settings with one agent in it. */
function homeWithAgent(): string {
	const home = fs.mkdtempSync(path.join(os.tmpdir(), "muster-home-"));
	fs.mkdirSync(path.join(home, ".agents/agents"), { recursive: true });
	const file = "---\nname: helper\ndescription: Helps everywhere.\n---\nYou help.\n";
	fs.writeFileSync(path.join(home, ".agents/agents/helper.md"), file);
	return home;
}

describe("the kinds of windows", () => {
	it.each(["an empty window", "a lone file"])(
		"%s: home agents spawn, and file tools name the reason why they refuse",
		async (kind) => {
			const open = kind === "a lone file" ? path.join(sampleWorkspace(), "README.md") : null;
			const { workbench, server } = await startVSCode({
				open,
				settings: { ...quick, "muster.homeDir": homeWithAgent() },
			});
			await spawnSubagent(workbench, "helper", "What is here?");
			await workbench.row(/What is here\?, finished/u).waitFor({ timeout: 60_000 });
			await workbench.row(/What is here\?, finished/u).click();
			await until("the reason to show", async () =>
				(await workbench.editorText()).includes("No folder is open in this window"),
			);
			await workbench.run("Muster: Set Up This Workspace");
			await workbench.notifications.toast(/No folder is open, so there is nothing to set up/u).waitFor();
			expect(storedRuns(server)).toMatchObject([{ state: "ok" }]);
		},
	);

	it("a folder without agents: the view says what to do, Set Up writes them, overwrites nothing, and they spawn at once", async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), "muster-new-"));
		fs.mkdirSync(path.join(folder, ".agents"));
		fs.writeFileSync(path.join(folder, ".agents/config.toml"), "# mine\n");
		const { workbench } = await startVSCode({ open: folder, settings: quick });
		await workbench.openContainer("Muster");
		await workbench.view("Subagents").getByText("No subagents have run here yet.").waitFor();
		await workbench.run("Muster: Spawn Subagent…");
		await workbench.quickInput.pick(/Set Up This Workspace/u);
		await workbench.notifications.toast(/Wrote 4 files under \.agents, left 1 as they were/u).waitFor();
		expect(fs.readFileSync(path.join(folder, ".agents/config.toml"), "utf8")).toBe("# mine\n");
		await spawnSubagent(workbench, "summarizer", "What is here?");
		await workbench.row(/What is here\?, finished/u).waitFor({ timeout: 60_000 });
	});

	it("a read-only folder: subagents work in it, and Set Up explains", async ({ skip }) => {
		const folder = sampleWorkspace();
		fs.rmSync(path.join(folder, ".agents/skills"), { recursive: true });
		try {
			execFileSync("mount", ["--bind", folder, folder], { stdio: "pipe" });
			execFileSync("mount", ["-o", "remount,bind,ro", folder], { stdio: "pipe" });
		} catch (error) {
			skip(`this machine does not let us mount a folder read-only: ${String(error)}`);
		}
		onTestFinished(() => void execFileSync("umount", [folder]));
		const { workbench, server } = await startVSCode({ open: folder, settings: quick });
		await spawnSubagent(workbench, "code-analyst", "Look at the cart");
		await workbench.row(/Look at the cart, finished/u).waitFor({ timeout: 60_000 });
		await workbench.run("Muster: Set Up This Workspace");
		await workbench.notifications
			.toast(/is read-only, so no agents can be put there\. Nothing was changed\./u)
			.waitFor();
		expect(storedRuns(server)).toMatchObject([{ state: "ok" }]);
	});

	it("two folders: the picker shows the agents of both, each works in its own, and a home agent asks where", async () => {
		const [shop, garden] = [sampleWorkspace("shop"), sampleWorkspace("garden")];
		fs.rmSync(path.join(garden, ".agents"), { recursive: true });
		fs.mkdirSync(path.join(garden, ".agents/agents"), { recursive: true });
		fs.writeFileSync(
			path.join(garden, ".agents/agents/gardener.md"),
			"---\nname: gardener\ndescription: Tends the garden.\n---\nYou tend.\n",
		);
		const file = path.join(path.dirname(shop), "both.code-workspace");
		fs.writeFileSync(file, JSON.stringify({ folders: [{ path: shop }, { path: garden }] }));
		const settings = { ...quick, "muster.homeDir": homeWithAgent() };
		const { workbench, server } = await startVSCode({ open: file, settings });

		await workbench.run("Muster: Spawn Subagent…");
		await workbench.quickInput.shows("Which agent?");
		await workbench.quickInput.row("gardener").waitFor();
		expect(await workbench.quickInput.labels()).toEqual(expect.arrayContaining(["code-analyst", "gardener", "helper"]));
		await workbench.quickInput.pick("gardener");
		await workbench.quickInput.answer("What is it to do?", "Tend it");
		await workbench.row(/Tend it, finished/u).waitFor({ timeout: 60_000 });

		await workbench.run("Muster: Spawn Subagent…");
		await workbench.quickInput.pick("helper");
		await workbench.quickInput.shows("Where is helper to work?");
		await workbench.quickInput.pick("shop");
		await workbench.quickInput.answer("What is it to do?", "Help here");
		await workbench.row(/Help here, finished/u).waitFor({ timeout: 60_000 });
		await workbench.row(/Tend it, finished/u).waitFor();
		expect(storedRuns(server)).toHaveLength(2);
		expect(
			fs.readdirSync(path.join(server.home, ".muster/workspaces")).map((name) => name.replace(/-[0-9a-f]{16}$/u, "")),
		).toEqual(["garden", "shop"]);
	});
});
