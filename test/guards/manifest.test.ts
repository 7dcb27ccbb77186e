/** package.json and the code say the same, in both directions. `UPDATE=1` rewrites the settings from their schema. */
import * as esbuild from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commands, extensionId } from "../../src/contributions.ts";
import { projectRoot } from "../vscode/paths.ts";
import { manifestFile, readManifest, type Manifest } from "./manifest.ts";
import {
	activationProblems,
	commandProblems,
	pinProblems,
	settingNameProblems,
	settingScopeProblems,
	viewProblems,
	whenProblems,
} from "./manifestProblems.ts";
import { withCurrentSettings } from "./settingProperties.ts";

beforeAll(() => {
	if (process.env["UPDATE"] !== "1") return;
	writeFileSync(manifestFile, withCurrentSettings(readFileSync(manifestFile, "utf8")));
});

/** A copy of package.json in which something has gone its own way. */
function drifted(change: (manifest: Manifest) => void): Manifest {
	const manifest = readManifest();
	change(manifest);
	return manifest;
}

describe("commands", () => {
	it("are the same in package.json and in contributions.ts, with their titles", () => {
		expect(commandProblems(readManifest())).toEqual([]);
	});

	it("are missed, surplus or misnamed when package.json drifts", () => {
		const manifest = drifted(({ contributes }) => {
			contributes.commands.splice(0, 1);
			contributes.commands.push({ command: "muster.dance", title: "Dance" });
			for (const command of contributes.commands) if (command.command === "muster.showLog") command.title = "Log";
			contributes.menus["view/title"] = [{ command: "muster.sing" }];
			contributes.viewsWelcome.push({ view: "muster.subagents", contents: "[Leap](command:muster.leap)" });
		});
		expect(commandProblems(manifest)).toEqual([
			"The command muster.spawn is not contributed.",
			'The command muster.showLog is titled "Log", not "Show Log".',
			"The command muster.dance is contributed, but not in contributions.ts.",
			"A menu names the command muster.sing, which does not exist.",
			"A welcome text links to the command muster.leap, which does not exist.",
		]);
	});

	it("are each registered, under their own id, with their own handler", async () => {
		const called: [name: string, id: unknown][] = [];
		const names = Object.keys(commands);
		const handlers = names.map((name) => [name, async (id: unknown) => void called.push([name, id])]);
		const { registerCommands } = await importRegisterCommands();
		registerCommands(Object.fromEntries(handlers), (title: string) => called.push([title, "failed"]));
		expect(called).toEqual(Object.entries(commands).map(([name, { id }]) => [name, id]));
	});
});

describe("views, menus and welcome texts", () => {
	it("name only views, context keys and row kinds that exist, and use them all", () => {
		expect(viewProblems(readManifest())).toEqual([]);
		expect(whenProblems(readManifest())).toEqual([]);
	});

	it("are found out when a view is renamed on one side", () => {
		const manifest = drifted(({ contributes }) => {
			contributes.viewsContainers = { activitybar: [{ id: "mustard" }] };
			contributes.views = { muster: [{ id: "muster.nowhere" }] };
			contributes.viewsWelcome.push({ view: "muster.nowhere", contents: "" });
		});
		expect(viewProblems(manifest)).toEqual([
			"The view container muster is not contributed.",
			"The view container mustard is not in contributions.ts.",
			"The view muster.subagents is not contributed.",
			"The view muster.approvals is not contributed.",
			"The view muster.agents is not contributed.",
			"The view muster.skills is not contributed.",
			"The view muster.mcpServers is not contributed.",
			"The view muster.nowhere is not in contributions.ts.",
			"A welcome text is for the view muster.nowhere, which does not exist.",
		]);
	});

	it("are found out when a clause names what is not there", () => {
		const manifest = drifted(({ contributes }) => {
			contributes.menus["editor/title"] = [
				{ command: "muster.spawn", when: "view == muster.nowhere || !muster.isBusy" },
				{ command: "muster.spawn", when: "viewItem =~ /^session\\./ && viewItem == run" },
			];
		});
		expect(whenProblems(manifest)).toEqual([
			"A when clause names the view muster.nowhere, which does not exist.",
			"There is no context key muster.isBusy.",
			"No row is /^session\\./.",
			"No row is run.",
		]);
	});

	it("are found out when a context key or a row kind is no longer used", () => {
		const manifest = drifted(({ contributes }) => {
			contributes.menus = {};
			for (const command of contributes.commands) delete command.enablement;
		});
		expect(whenProblems(manifest)).toEqual([
			"No when clause uses the context key muster.hasParked.",
			"No menu is shown on a row that is run.queued.",
			"No menu is shown on a row that is run.live.",
			"No menu is shown on a row that is run.paused.",
			"No menu is shown on a row that is run.parked.",
			"No menu is shown on a row that is run.finished.",
			"No menu is shown on a row that is run.cut.",
			"No menu is shown on a row that is run.finished.undelivered.",
			"No menu is shown on a row that is run.cut.undelivered.",
			"No menu is shown on a row that is run.queued.unanswered.",
			"No menu is shown on a row that is run.live.unanswered.",
			"No menu is shown on a row that is run.paused.unanswered.",
			"No menu is shown on a row that is skill.enabled.",
			"No menu is shown on a row that is skill.disabled.",
			"No menu is shown on a row that is approval.once.",
			"No menu is shown on a row that is approval.run.",
			"No menu is shown on a row that is approval.agent.",
			"No menu is shown on a row that is approval.wide.",
			"No menu is shown on a row that is approval.answer.",
			"No menu is shown on a row that is approval.plan.",
			"No menu is shown on a row that is server.configured.",
			"No menu is shown on a row that is server.started.",
			"No menu is shown on a row that is server.configured.remote.",
			"No menu is shown on a row that is server.started.remote.",
			"No menu is shown on a row that is server.started.signIn.",
			"No menu is shown on a row that is agent.",
			"No menu is shown on a row that is problem.secret.",
		]);
	});

	it("are not skipped when a clause cannot be read", () => {
		const manifest = drifted(({ contributes }) => {
			contributes.viewsWelcome.push({ view: "muster.subagents", when: "isWorkspaceTrusted && @view", contents: "" });
		});
		expect(() => whenProblems(manifest)).toThrow('cannot be read from "@view" on');
	});
});

describe("activation", () => {
	it("waits only for what can happen", () => {
		expect(activationProblems(readManifest())).toEqual([]);
		const manifest = drifted(({ activationEvents }) => activationEvents.push("onView:muster.nowhere"));
		expect(activationProblems(manifest)).toEqual(["onView:muster.nowhere never happens."]);
	});
});

describe("settings", () => {
	it("are in package.json as their schema says; UPDATE=1 brings them there", () => {
		const text = readFileSync(manifestFile, "utf8");
		expect(text).toBe(withCurrentSettings(text));
	});

	it("are all in the README", () => {
		const readme = readFileSync(path.join(projectRoot, "README.md"), "utf8");
		const names = Object.keys(readManifest().contributes.configuration.properties);
		expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
	});

	it("are brought back when one has another default, and when one is surplus", () => {
		const manifest = drifted(({ contributes: { configuration } }) => {
			configuration.properties["muster.lanes.subagent"] = { type: "integer", default: 9 };
			configuration.properties["muster.dances"] = { type: "boolean" };
		});
		const text = JSON.stringify(manifest, null, "\t");
		expect(withCurrentSettings(text)).toBe(readFileSync(manifestFile, "utf8"));
	});

	it("that widen power cannot be set by a repository", () => {
		expect(settingScopeProblems(readManifest())).toEqual([]);
		const manifest = drifted(({ contributes: { configuration }, capabilities }) => {
			configuration.properties["muster.dataDir"] = { scope: "resource" };
			configuration.properties["muster.lanes.subagent"] = {};
			capabilities.untrustedWorkspaces.restrictedConfigurations.push("muster.dances");
		});
		expect(settingScopeProblems(manifest)).toEqual([
			"A repository could set muster.dataDir: its scope is resource.",
			"A repository could set muster.lanes.subagent: its scope is window, by default.",
			"The setting muster.dances does not exist.",
		]);
	});

	it("have each a scope that was chosen", () => {
		const { properties } = readManifest().contributes.configuration;
		expect(Object.fromEntries(Object.entries(properties).map(([name, { scope }]) => [name, scope]))).toEqual({
			"muster.homeDir": "machine",
			"muster.dataDir": "machine",
			"muster.rolesDir": "machine",
			"muster.agents": "resource",
			"muster.bindings": "resource",
			"muster.channels": "resource",
			"muster.modelProviders": "application",
			"muster.defaultModel": "application",
			"muster.modelRoles": "application",
			"muster.prices": "application",
			"muster.permissions": "application",
			"muster.edits": "application",
			"muster.plan.approver": "application",
			"muster.approvals.expireAfterMinutes": "application",
			"muster.webSearch.backend": "application",
			"muster.webSearch.baseUrl": "application",
			"muster.onDuplicateAgent": "application",
			"muster.lanes.subagent": "application",
			"muster.lanes.main": "application",
			"muster.archiveAfterMinutes": "application",
			"muster.notifications.finished": "window",
			"muster.demo.pace": "application",
			"muster.demo.script": "machine",
		});
	});

	it("of a workspace wait for trust", () => {
		const manifest = drifted(({ capabilities }) => {
			capabilities.untrustedWorkspaces.restrictedConfigurations = ["muster.agents", "muster.channels"];
		});
		expect(settingScopeProblems(manifest)).toEqual([
			"The setting muster.bindings is read before the workspace is trusted.",
		]);
	});

	it("have names of which none begins with another", () => {
		expect(settingNameProblems(readManifest())).toEqual([]);
		const manifest = drifted(({ contributes: { configuration } }) => {
			configuration.properties["muster.agents.onDuplicate"] = { scope: "application" };
		});
		expect(settingNameProblems(manifest)).toEqual([
			"The setting muster.agents and the setting muster.agents.onDuplicate can't both have a value.",
		]);
	});
});

describe("the package", () => {
	it("is the product by name", () => {
		const { name, publisher, displayName } = readManifest();
		expect({ name, publisher, displayName }).toEqual({
			name: "muster",
			publisher: "muster",
			displayName: "Muster: Subagents",
		});
		expect(`${publisher}.${name}`).toBe(extensionId);
	});

	it("is compiled against the oldest VS Code that it says it runs in, without proposed API", () => {
		const { engines, devDependencies, enabledApiProposals } = readManifest();
		expect(engines.vscode).toBe(`^${devDependencies["@types/vscode"]}`);
		expect(enabledApiProposals).toBeUndefined();
	});

	it("pins what it is built and tested with", () => {
		const testVscode = JSON.parse(readFileSync(path.join(projectRoot, "test/vscode/package.json"), "utf8")) as Manifest;
		expect([readManifest(), testVscode].flatMap(pinProblems)).toEqual([]);
		expect(pinProblems({ devDependencies: { zod: "^4.6.7", vite: "8.3.0", preact: "latest" } })).toEqual([
			"zod is not pinned: ^4.6.7.",
			"preact is not pinned: latest.",
		]);
	});
});

/** The real registering, with a `vscode` that has nothing but `registerCommand`: this is plain Node. */
async function importRegisterCommands(): Promise<{ registerCommands: (handlers: object, report: unknown) => void }> {
	const { outputFiles } = await esbuild.build({
		entryPoints: [path.join(projectRoot, "src/shell/commands/registerCommands.ts")],
		alias: { vscode: path.join(projectRoot, "test/guards/vscodeStandIn.ts") },
		bundle: true,
		write: false,
		format: "esm",
	});
	const text = outputFiles.map((file) => file.text).join("");
	return (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Awaited<
		ReturnType<typeof importRegisterCommands>
	>;
}
