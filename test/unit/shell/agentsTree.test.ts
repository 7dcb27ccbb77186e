import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { discoverAgents } from "../../../src/core/agents/discoverAgents.ts";
import { knownTools } from "../../../src/core/tools/knownTools.ts";
import type { WorkspaceCatalogs } from "../../../src/shell/catalog/workspaceCatalogs.ts";
import { toAgentLayers, type AgentCatalog } from "../../../src/shell/tree/agentRows.ts";
import { AgentsTree, isAgentRow } from "../../../src/shell/tree/agentsTree.ts";
import { resetEditor } from "../../fakes/editorStandIn.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";
import { agentText } from "../core/agents/agentText.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(resetEditor);

const home = () =>
	temporaryFolder({
		".agents/agents/helper.md": agentText(),
		".agents/agents/other.md": agentText("", { name: "other" }),
	});
const overriding = { ".agents/agents/helper.md": agentText("override: true") };

async function catalogOf(homeFolder: string, folder: string): Promise<AgentCatalog> {
	const roots = [
		{ layer: "home", path: homeFolder },
		{ layer: "repo", path: folder },
	] as const;
	const agents = await discoverAgents(roots, knownTools);
	return { folder, agents, problems: agents.problems };
}

const names = (layers: ReturnType<typeof toAgentLayers>) =>
	layers.map(({ label, rows }) => [
		label,
		rows.map((row) => (row.kind === "problem" ? row.problem.code : `${row.kind} ${row.agent.name}`)),
	]);

/** The view as a person has it: every row below the layers. */
async function shown(catalogs: readonly AgentCatalog[]) {
	const stand = { read: async () => catalogs, catalogs, onDidChange: () => ({ dispose: () => undefined }) };
	const tree = new AgentsTree(stand as unknown as WorkspaceCatalogs);
	const layers = await tree.getChildren();
	const rows = (await Promise.all(layers.map((layer) => tree.getChildren(layer)))).flat();
	return rows.map((row) => ({ row, item: tree.getTreeItem(row) }));
}

describe("the Agents view", () => {
	it("shows an agent that the folder overrides as shadowed, in its own layer", async () => {
		const folder = temporaryFolder(overriding);
		expect(names(toAgentLayers([await catalogOf(home(), folder)]))).toEqual([
			[expect.any(String), ["agent helper"]],
			["home", ["agent other", "shadowed helper"]],
		]);
	});

	it("shows a file of another program that ours is used instead of", async () => {
		const folder = temporaryFolder({ ".agents/agents/a.md": agentText(), ".claude/agents/a.md": agentText() });
		expect(names(toAgentLayers([await catalogOf(temporaryFolder({}), folder)]))).toEqual([
			[expect.any(String), ["agent helper", "shadowed helper"]],
		]);
	});

	it("says on the row, its tooltip and to screen readers which file is used instead, and spawns no such row", async () => {
		const homeFolder = home();
		const folder = temporaryFolder(overriding);
		const rows = await shown([await catalogOf(homeFolder, folder)]);
		const shadowed = rows.find(({ row }) => row.kind === "shadowed");
		const by = join(folder, ".agents/agents/helper.md");
		expect(shadowed?.item.description).toMatch(/^shadowed by .*helper\.md$/u);
		expect(shadowed?.item.tooltip).toContain(by);
		expect(shadowed?.item.accessibilityInformation?.label).toBe(`agent helper, ${shadowed?.item.description}`);
		expect(shadowed?.item.contextValue).toBe("");
		expect(shadowed?.item.command?.arguments?.[0]).toMatchObject({
			fsPath: join(homeFolder, ".agents/agents/helper.md"),
		});
		expect(isAgentRow(shadowed?.row)).toBe(false);
		expect(new Set(rows.map(({ item }) => item.id)).size).toBe(rows.length);
	});

	it("shows home's agent as one that is used while any folder leaves it so", async () => {
		const homeFolder = home();
		const [one, two] = await Promise.all([
			catalogOf(homeFolder, temporaryFolder(overriding)),
			catalogOf(homeFolder, temporaryFolder({})),
		]);
		expect(names(toAgentLayers([one, two])).at(-1)).toEqual(["home", ["agent other", "agent helper"]]);
		expect(names(toAgentLayers([one, one])).at(-1)).toEqual(["home", ["agent other", "shadowed helper"]]);
	});

	it("shows what was refused as a file that cannot be loaded, not as shadowed", async () => {
		const folder = temporaryFolder({ ".agents/agents/helper.md": agentText() });
		expect(names(toAgentLayers([await catalogOf(home(), folder)]))).toEqual([
			[expect.any(String), ["agent.clash"]],
			["home", ["agent helper", "agent other"]],
		]);
	});
});
