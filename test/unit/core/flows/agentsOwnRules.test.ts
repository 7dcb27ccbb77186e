import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

const allowed = { ".agents/config.toml": '[permissions]\nallow = ["shell", "edit_file"]\n' };
const run = (command: string, id: string) => aCall("shell", { command }, id);
const write = (file: string) => aCall("write_file", { path: file, content: "x" }, file);

describe("what an agent's file says of its tools", () => {
	it("takes from the user's rules for its runs, and gives nothing", async () => {
		const lines = "tools: [shell(touch *), write_file]\ndisallowedTools: [shell(touch b), edit_file(docs/**)]\n";
		const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout", lines) });
		const calls = [run("touch a", "1"), run("touch b", "2"), run("mkdir c", "3"), write("docs/d"), write("e")];
		const model = new ScriptedModel({ calls }, { text: "Done." });
		const runtime = await aRuntime(model, { repoFolder, homeFolder: temporaryFolder(allowed) });
		const answer = await runtime.spawn({ agent: "scout", task: "Work" });
		if (!answer.accepted) throw new Error(answer.error);
		await untilRun(runtime, answer.runId, hasEnded);
		const there = ["a", "b", "c", "docs/d", "e"].filter((name) => existsSync(path.join(repoFolder, name)));
		expect(there).toEqual(["a", "e"]);
		const results = model.requests[1]?.messages.flatMap((message) => (message.role === "tool" ? [message.text] : []));
		expect(results?.[1]).toContain("denied by rule shell(touch b) from the agent's own list");
		expect(results?.[2]).toContain("This agent has shell only as shell(touch *).");
		expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["write_file", "shell"]);
	});

	it("holds for whom a main agent sends out, too", async () => {
		const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout") });
		const home =
			'[[agents.list]]\nid = "main"\ntools = { allow = ["sessions_spawn", "shell(touch a)"], deny = ["write_file(docs/**)"] }\n';
		const homeFolder = temporaryFolder({ ".agents/config.toml": `${allowed[".agents/config.toml"]}${home}` });
		const model = new TwoFacedModel(
			[
				{ calls: [aCall("sessions_spawn", { agent: "scout", task: "Work" }, "s"), run("touch mine", "m")] },
				{ text: "Sent." },
			],
			[{ calls: [run("touch a", "1"), run("touch b", "2")] }, { text: "Done. SUMMARY: Done." }],
		);
		const runtime = await aRuntime(model, { repoFolder, homeFolder });
		await runtime.control.startTurn({ ...aSession("agent:main:chat-1", "main"), agentId: "main" }, "Go");
		await expect.poll(() => runtime.runs.list().filter(hasEnded).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
		expect(["a", "b", "mine"].filter((name) => existsSync(path.join(repoFolder, name)))).toEqual(["a"]);
	});
});
