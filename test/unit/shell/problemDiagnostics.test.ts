/** What the light bulb offers at a problem. */
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { commands } from "../../../src/contributions.ts";
import { discoverCatalog } from "../../../src/core/catalog/discoverCatalog.ts";
import { ProblemDiagnostics } from "../../../src/shell/problems/problemDiagnostics.ts";
import { Range, resetEditor, Uri, WorkspaceEdit } from "../../fakes/editorStandIn.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(resetEditor);

const secret = `ghp_${"a1".repeat(18)}`;

/** What is offered on a line, counted from 0, of a file of home. */
async function offered(path: string, text: string, line: number) {
	const homeDir = temporaryFolder({ [path]: text });
	const catalogs = [{ folder: null, ...(await discoverCatalog({ homeDir, environment: {}, providerIds: [] })) }];
	const stand = { catalogs, onDidChange: () => ({ dispose: () => undefined }) };
	const diagnostics = new ProblemDiagnostics(stand as unknown as ConstructorParameters<typeof ProblemDiagnostics>[0]);
	const file = join(homeDir, path);
	const [document, range] = [{ uri: Uri.file(file) }, new Range(line, 0, line, 0)];
	type Place = Parameters<typeof diagnostics.provideCodeActions>;
	return { file, actions: diagnostics.provideCodeActions(...([document, range] as unknown as Place)) };
}

describe("the light bulb", () => {
	it("moves a secret by the command that keeps it first, and has no copy of it", async () => {
		const text = `[mcp_servers.git]\nurl = "https://mcp.example"\nbearer_token = "${secret}"\n`;
		const { file, actions } = await offered(".agents/config.toml", text, 2);
		expect(actions.map(({ title }) => title)).toEqual(["Move to Secret Storage"]);
		expect(actions[0]?.edit).toBeUndefined();
		expect(actions[0]?.command).toMatchObject({
			command: commands.moveSecret.id,
			arguments: [{ kind: "moveToSecretStorage", file, path: ["mcp_servers", "git", "bearer_token"] }],
		});
		expect(JSON.stringify(actions)).not.toContain(secret);
	});

	it("offers nothing for a secret that its owner would not find", async () => {
		const text = `[mcp_servers.a]\ncommand = "x"\nargs = ["--token=${secret}"]\n`;
		expect((await offered(".agents/config.toml", text, 2)).actions).toEqual([]);
	});

	it("changes the text of a file of another program, and then its name", async () => {
		const text = "name = 'fixer'\ndescription = 'Fixes'\ndeveloper_instructions = 'You fix.'\n";
		const { file, actions } = await offered(".agents/agents/fixer.toml", text, 0);
		expect(actions.map(({ title }) => title)).toEqual(["Convert from the format of Codex"]);
		const edit = actions[0]?.edit as unknown;
		if (!(edit instanceof WorkspaceEdit)) throw new Error("There is no edit");
		expect(edit.changes).toMatchObject([{ uri: { fsPath: file }, newText: expect.stringContaining("name: fixer") }]);
		expect(edit.renames).toEqual([[file, file.replace(".toml", ".md")]]);
	});
});
