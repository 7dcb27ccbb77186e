/** *Move to Secret Storage* on real files, with the dialogs and the storage of the test. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { toExplanationText } from "../../../src/core/config/explanationText.ts";
import { discoverCatalog } from "../../../src/core/catalog/discoverCatalog.ts";
import { explainCatalog } from "../../../src/core/catalog/explainCatalog.ts";
import type { SettingsValues } from "../../../src/core/config/settingsTables.ts";
import { moveSecretCommand } from "../../../src/shell/commands/moveSecretCommand.ts";
import { movableSecrets } from "../../../src/shell/problems/movableSecrets.ts";
import { toAgentLayers } from "../../../src/shell/tree/agentRows.ts";
import { problemItem } from "../../../src/shell/tree/catalogTree.ts";
import { secretContextValue } from "../../../src/contributions.ts";
import { documentOf, editor, resetEditor, Uri } from "../../fakes/editorStandIn.ts";
import { MemorySecrets } from "../../fakes/memorySecrets.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(resetEditor);

const secret = `ghp_${"a1".repeat(18)}`;
const withSecret = `[mcp_servers.git]\nurl = "https://mcp.example"\nbearer_token = "${secret}"\n`;
const without = '[mcp_servers.git]\nurl = "https://mcp.example"\nbearer_token_env_var = "GIT_TOKEN"\n';

/** A home with this configuration, and the command on it. */
function aHome(config = withSecret, settings: SettingsValues = {}) {
	const homeDir = temporaryFolder({ ".agents/config.toml": config });
	const file = join(homeDir, ".agents/config.toml");
	const secrets = new MemorySecrets();
	const read = async () => [
		{ folder: null, ...(await discoverCatalog({ homeDir, environment: {}, providerIds: [], secrets, settings })) },
	];
	const move = (given?: unknown) => moveSecretCommand({ refresh: read }, secrets, given);
	const problem = async () => {
		const all = (await read()).flatMap(({ problems }) => problems);
		const found = all.find((each) => movableSecrets(each).length > 0);
		if (found === undefined) throw new Error("There is no secret to move");
		return found;
	};
	return { file, secrets, read, move, problem };
}

describe("Move to Secret Storage", () => {
	it("keeps the secret and leaves a file that loads and works", async () => {
		const { file, secrets, read, move, problem } = aHome();
		await move(movableSecrets(await problem())[0]);
		expect(readFileSync(file, "utf8")).toBe(without);
		expect([...secrets.kept.values()]).toEqual([secret]);
		const [catalog] = await read();
		expect(catalog?.problems).toEqual([]);
		expect(catalog?.mcpServers).toMatchObject([{ name: "git", isUsable: true }]);
		expect(editor.shown).toEqual([file]);
		expect(editor.said.join()).not.toContain(secret);
	});

	it("asks which, when nobody says it", async () => {
		const { file, move } = aHome();
		editor.answers = ["mcp_servers.git.bearer_token"];
		await move();
		expect(readFileSync(file, "utf8")).toBe(without);
	});

	it("leaves everything as it is when nobody picks one", async () => {
		const { file, secrets, move } = aHome();
		await move();
		expect(readFileSync(file, "utf8")).toBe(withSecret);
		expect(secrets.kept.size).toBe(0);
	});

	it("keeps the secret before the text is touched, so that none is lost", async () => {
		const { file, secrets, move, problem } = aHome();
		editor.refusesEdits = true;
		await expect(move({ problem: await problem() })).rejects.toThrow("could not be changed");
		expect(readFileSync(file, "utf8")).toBe(withSecret);
		expect([...secrets.kept.values()]).toEqual([secret]);
	});

	it("touches no text when the storage fails, and does not repeat why", async () => {
		const { file, secrets, move, problem } = aHome();
		secrets.set = () => Promise.reject(new Error(`no place for ${secret}`));
		const moving = move({ problem: await problem() });
		await expect(moving).rejects.toThrow("Secret Storage can't be used now");
		await expect(moving).rejects.not.toThrow(secret);
		expect(readFileSync(file, "utf8")).toBe(withSecret);
	});

	it.each([
		["keeps the other one", undefined, "older", withSecret],
		["takes this one", "Replace", secret, without],
	])("asks before it replaces another secret, and %s", async (_what, button, expected, text) => {
		const { file, secrets, move, problem } = aHome();
		await move({ problem: await problem() });
		for (const place of secrets.kept.keys()) secrets.kept.set(place, "older");
		documentOf(Uri.file(file)).type(withSecret);
		await documentOf(Uri.file(file)).save();
		editor.press = () => button;
		await move({ problem: await problem() });
		expect([...secrets.kept.values()]).toEqual([expected]);
		expect(readFileSync(file, "utf8")).toBe(text);
	});

	it("saves nothing that the person has not saved", async () => {
		const { file, move, problem } = aHome();
		const given = { problem: await problem() };
		documentOf(Uri.file(file)).type(`${withSecret}# not finished\n`);
		await move(given);
		expect(documentOf(Uri.file(file)).getText()).toBe(`${without}# not finished\n`);
		expect(readFileSync(file, "utf8")).toBe(withSecret);
		expect(editor.said.join()).toContain("Save the file");
	});

	it.each([
		["a file that nobody has found a secret in", { file: "/etc/passwd", path: ["mcp_servers", "a", "bearer_token"] }],
		["what is no remedy", "x"],
	])("does nothing with %s", async (_what, given) => {
		const { secrets, move } = aHome();
		await expect(move(given)).rejects.toThrow("no secret here");
		expect(secrets.kept.size).toBe(0);
	});
});

describe("a secret in the user's settings", () => {
	const provider = { baseUrl: "https://loop.example/v1", apiKey: secret };
	const settings = { user: { modelProviders: { loop: provider } } };
	const text = JSON.stringify({ "editor.tabSize": 2, "muster.modelProviders": { loop: provider } }, null, 2);

	it("is shown in the Agents view with the action on its row, and in Explain with the command", async () => {
		const { read, problem } = aHome("", settings);
		const catalogs = await read();
		expect(toAgentLayers(catalogs)[0]).toMatchObject({ label: "settings", rows: [{ problem: await problem() }] });
		expect(problemItem(await problem()).contextValue).toBe(secretContextValue);
		const [catalog] = catalogs;
		const explained = catalog && toExplanationText(explainCatalog(catalog));
		expect(explained).toContain("run “Muster: Move Secret to Secret Storage…”");
		expect(explained).not.toContain(secret);
	});

	it("is moved out of the settings file, before the person's eyes", async () => {
		const { secrets, move, problem } = aHome("", settings);
		const file = join(temporaryFolder({ "settings.json": text }), "settings.json");
		editor.filesOfCommands.set("workbench.action.openSettingsJson", file);
		await move({ problem: await problem() });
		expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
			"editor.tabSize": 2,
			"muster.modelProviders": { loop: { baseUrl: "https://loop.example/v1" } },
		});
		expect([...secrets.kept]).toEqual([["loop https://loop.example", secret]]);
		expect(editor.shown).toEqual([file]);
	});

	it("stays there when VS Code shows no settings file", async () => {
		const { secrets, move, problem } = aHome("", settings);
		await expect(move({ problem: await problem() })).rejects.toThrow("can't be moved");
		expect(secrets.kept.size).toBe(0);
	});
});
