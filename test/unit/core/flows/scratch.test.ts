import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const calls = [
	aCall("list_dir", {}, "c1"),
	aCall("read_file", { path: "notes.txt" }, "c2"),
	aCall("write_file", { path: "new.txt", content: "eight\n" }, "c3"),
	aCall("read_file", { path: "../../muster.db" }, "c4"),
	aCall("list_dir", { path: ".." }, "c5"),
];

describe("a run in a scratch folder", () => {
	it.each([
		["on the call", "", { isolation: "scratch" }],
		["in the agent's file", "isolation: scratch\n", {}],
	])(
		"works in an empty folder of its own where that is said %s, and never sees the open one",
		async (_, fields, request) => {
			const repoFolder = temporaryFolder({
				".agents/agents/scout.md": anAgentFile("scout", fields),
				"notes.txt": "seven\n",
			});
			const storeFolder = path.join(temporaryFolder(), "store");
			const model = new ScriptedModel({ calls }, { text: "Done." }, { calls }, { text: "Done." });
			const runtime = await aRuntime(model, { repoFolder, storeFolder, edits: () => "allow" });
			const ids: string[] = [];
			for (let index = 0; index < 2; index++) {
				const answer = await runtime.spawn({ agent: "scout", task: "Look", ...request });
				if (!answer.accepted) throw new Error(answer.error);
				expect(await untilRun(runtime, answer.runId, hasEnded)).toMatchObject({ state: "ok" });
				const results = model.requests[2 * index + 1]?.messages.filter(({ role }) => role === "tool");
				expect(results).toMatchObject([
					{ text: expect.not.stringContaining("notes.txt"), isError: false },
					{ text: expect.stringContaining("notes.txt"), isError: true },
					{ isError: false },
					{ text: expect.stringContaining("is never allowed"), isError: true },
					{ text: expect.stringContaining("is never allowed"), isError: true },
				]);
				ids.push(answer.runId);
			}
			for (const id of ids) {
				const folder = realpathSync(path.join(storeFolder, "scratch", id));
				expect(readdirSync(folder)).toEqual(["new.txt"]);
				expect(readFileSync(path.join(folder, "new.txt"), "utf8")).toBe("eight\n");
				expect(statSync(folder).mode & 0o077).toBe(0);
				expect(model.requests.some(({ system }) => system.includes(folder))).toBe(true);
			}
			expect(existsSync(path.join(repoFolder, "new.txt"))).toBe(false);
		},
	);
});
