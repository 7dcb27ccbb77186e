import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { speak, startModelServer, type ReceivedRequest } from "../fakes/modelServer.ts";
import { projectRoot, vsixFile } from "../vscode/paths.ts";
import { until } from "../vscode/until.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnSubagent } from "./harness/spawnSubagent.ts";
import { storedRuns } from "./harness/storedRuns.ts";
import { startVSCode } from "./harness/vscode.ts";
import type { Workbench } from "./harness/workbench.ts";

const edit = {
	path: "src/tax.js",
	old_string: 'return kind === "book" ? 0.07 : 0.19;',
	new_string: 'if (kind === "gift-card") return 0;\n\treturn kind === "book" ? 0.07 : 0.19;',
};
/** What the model does, turn by turn, whoever serves it. */
const turns = [
	{ text: "I read the rule.", call: { tool: "read_file", input: { path: "src/tax.js" } } },
	{ text: "Now I change it.", call: { tool: "edit_file", input: edit } },
	{ text: "And I test it.", call: { tool: "shell", input: { command: "echo all 7 tests passed" } } },
	{ text: "Gift cards are not taxed any more.\n\nSUMMARY: Gift cards are exempt." },
];

async function approveInTree(workbench: Workbench, folder: string): Promise<void> {
	await workbench.rowAction(/fixer asks to write src\/tax\.js/u, "Allow Once");
	await until("the file to be changed", () =>
		fs.readFileSync(path.join(folder, "src/tax.js"), "utf8").includes("gift"),
	);
	await workbench.rowAction(/fixer asks to run echo all 7 tests passed/u, "Allow Once");
	await workbench.row(/Exempt gift cards, finished/u).waitFor({ timeout: 60_000 });
}

const key = "good-key-1234567890";

/** An OpenAI-compatible server that knows one key and one model. */
async function aServer() {
	let turn = 0;
	const answer = ({ method, headers }: ReceivedRequest) => {
		if (headers.authorization !== `Bearer ${key}`) return { status: 401, body: ['{"error":{"message":"bad key"}}'] };
		if (method === "GET") return { body: ['{"data":[{"id":"gifted"}]}'] };
		const { text = "", call } = turns[turn++] ?? {};
		const calls = call ? [{ id: `call-${turn}`, name: call.tool, pieces: [JSON.stringify(call.input)] }] : [];
		return { body: speak("chat", { text: [text], calls }) };
	};
	const server = await startModelServer({ script: answer });
	onTestFinished(() => server.close());
	return server;
}

describe("a subagent on a real model", () => {
	it("of a server: Set API Key tries and keeps the key, Pick Model lists its models, and it reads, edits and runs after approval", async () => {
		const folder = sampleWorkspace();
		const { url, requests } = await aServer();
		const { workbench, server } = await startVSCode({ open: folder });
		const { quickInput, notifications } = workbench;
		await workbench.run("Muster: Set API Key…");
		await quickInput.pick(/OpenAI-compatible server/u);
		await quickInput.answer("A short name for the server", "loop");
		await quickInput.answer("The base URL", url);
		await quickInput.answer("Secret Storage", "wrong-key-1234567890");
		await notifications.pressToastButton(/does not accept this key, so it was not kept/u, "Enter Again");
		await quickInput.pick("loop");
		await quickInput.answer("Secret Storage", key);
		// In the centre: VS Code shows no third toast within a second, and nobody but a test is that fast.
		await notifications.pressButton(/The key of loop is kept\. The connection works\./u, "Pick Model");
		await quickInput.shows("What subagents run on");
		await quickInput.pick(/loop\/gifted|^gifted$/u);
		await quickInput.widget.waitFor({ state: "hidden" });

		await spawnSubagent(workbench, "fixer", "Exempt gift cards");
		await approveInTree(workbench, folder);
		expect(storedRuns(server)).toMatchObject([{ state: "ok" }]);
		const asked = requests.filter(({ method }) => method === "POST");
		expect(asked).toHaveLength(turns.length);
		expect(asked[0]?.body).toMatchObject({ model: "gifted", stream: true });
		const holding = () => execFileSync("grep", ["-rlaF", key, server.root], { encoding: "utf8" });
		expect(holding, "no file of VS Code or Muster holds the key").toThrow(/status|Command failed/u);
	});

	it("of VS Code: it reads, edits and runs after approval, and its tokens are marked as estimates", async () => {
		const folder = sampleWorkspace();
		const script = path.join(path.dirname(folder), "turns.json");
		fs.writeFileSync(script, JSON.stringify(turns));
		const { workbench, server } = await startVSCode({
			open: folder,
			extensions: [vsixFile, path.join(projectRoot, "test/fixtures/scriptedModel")],
			env: { SCRIPTED_MODEL: script },
		});
		await workbench.run("Muster: Pick Model");
		await workbench.quickInput.shows("What subagents run on");
		await workbench.quickInput.pick("Scripted One");
		await workbench.quickInput.widget.waitFor({ state: "hidden" });
		await spawnSubagent(workbench, "fixer", "Exempt gift cards");
		await approveInTree(workbench, folder);
		expect(storedRuns(server)).toMatchObject([{ state: "ok" }]);
		await workbench.row(/Exempt gift cards, finished/u).click();
		await until("the transcript to show", async () => {
			const text = await workbench.editorText();
			return text.includes("Model: vscode/") && text.includes("(estimated)");
		});
	});
});
