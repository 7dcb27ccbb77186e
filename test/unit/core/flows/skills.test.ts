/** Skills in whole runs: the catalog in the prompt, a skill's text on a call, its files on another, and its limits. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelRequest, ToolCall } from "../../../../src/core/models/modelPort.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder, withFiles } from "../../../fakes/temporaryFolder.ts";
import { skillText } from "../skills/skillText.ts";

const scout = { ".agents/agents/scout.md": anAgentFile("scout"), "notes.txt": "seven\n", "src/a.txt": "a\n" };
const skillFile = (name: string, frontmatter = "", body?: string) => ({
	[`.agents/skills/${name}/SKILL.md`]: skillText(name, frontmatter, body),
});

interface Done {
	readonly requests: readonly ModelRequest[];
	/** What each call got, in order. */
	readonly results: readonly { readonly text: string; readonly isError: boolean }[];
	readonly folder: string;
}

interface Setting {
	readonly home?: Readonly<Record<string, string>>;
	readonly request?: object;
	/** What somebody does to the folder once the run has begun. */
	readonly meddle?: (folder: string) => void;
}

class MeddledModel extends ScriptedModel {
	meddle: () => void = () => undefined;

	override stream(request: ModelRequest) {
		if (this.requests.length === 0) this.meddle();
		return super.stream(request);
	}
}

/** A run that makes these calls, a turn each, and then answers. */
async function runWith(
	files: Readonly<Record<string, string>>,
	turns: readonly (readonly ToolCall[])[],
	{ home = {}, request = {}, meddle }: Setting = {},
): Promise<Done> {
	const folder = temporaryFolder({ ...scout, ...files });
	const model = new MeddledModel(...turns.map((calls) => ({ calls })), { text: "Done. SUMMARY: Done." });
	model.meddle = () => meddle?.(folder);
	const runtime = await aRuntime(model, { repoFolder: folder, homeFolder: temporaryFolder(home) });
	const answer = await runtime.spawn({ agent: "scout", task: "Look", ...request });
	if (!answer.accepted) throw new Error(answer.error);
	expect(await untilRun(runtime, answer.runId, hasEnded)).toMatchObject({ state: "ok" });
	const results = (model.requests.at(-1)?.messages ?? []).flatMap((message) =>
		message.role === "tool" ? [{ text: message.text, isError: message.isError }] : [],
	);
	return { requests: model.requests, results, folder };
}

const load = (name: string, file?: string) =>
	aCall("skill", { name, ...(file !== undefined && { file }) }, `s-${name}-${file}`);
const read = (file: string) => aCall("read_file", { path: file }, `r-${file}`);

describe("a run with skills", () => {
	it("hears of them by name, then gets the text of one, then a file beside it", async () => {
		const files = {
			...skillFile("review", "", "Read references/guide.md first.\n"),
			".agents/skills/review/references/guide.md": "Be kind.",
		};
		const turns = [[load("review")], [load("review", "references/guide.md")]];
		const { requests, results, folder } = await runWith(files, turns);
		expect(requests[0]?.system).toContain("- review: Does review. Use when asked.");
		expect(requests[0]?.system).not.toContain("Read references/guide.md first.");
		expect(requests[0]?.tools.map(({ name }) => name)).toContain("skill");
		expect(results[0]?.text).toContain("<skill-instructions>\nRead references/guide.md first.\n</skill-instructions>");
		expect(results[0]?.text).toContain(`relative to its folder ${path.join(folder, ".agents/skills/review")}.`);
		expect(results[0]?.text).toContain("- references/guide.md");
		expect(results[0]?.text).not.toContain("Be kind.");
		expect(results[1]).toEqual({ text: "Be kind.", isError: false });
	});

	it("is offered no such tool where there is no skill", async () => {
		const { requests } = await runWith({}, []);
		expect(requests[0]?.tools.map(({ name }) => name)).not.toContain("skill");
		expect(requests[0]?.system).not.toContain("# Skills");
	});

	it("gets none that is disabled, shadowed or kept from models, and the nearest name for one that is not there", async () => {
		const files = {
			...skillFile("review", "", "The folder's."),
			...skillFile("off"),
			".agents/skills/off/.disabled": "",
			...skillFile("manual", "disable-model-invocation: true"),
		};
		const home = skillFile("review", "", "Home's.");
		const calls = ["review", "off", "manual", "reveiw"].map((name) => load(name));
		const { requests, results } = await runWith(files, [calls], { home });
		expect(results[0]?.text).toContain("The folder's.");
		for (const { isError } of results.slice(1)) expect(isError).toBe(true);
		expect(results[1]?.text).toBe('There is no skill named "off". Available: review.');
		expect(results[2]?.text).toBe('There is no skill named "manual". Available: review.');
		expect(results[3]?.text).toContain("Did you mean review?");
		expect(requests[0]?.system).not.toMatch(/- (?:off|manual)\b/u);
	});

	it("reads nothing outside of a skill's folder, and nothing that reading would have to ask for", async () => {
		const files = {
			...skillFile("x"),
			".agents/skills/x/.env": "KEY=1",
			".agents/skills/x/big.txt": "word\n".repeat(20_000),
		};
		const calls = ["../../../notes.txt", "/etc/passwd", ".env", "gone.md", "big.txt"].map((file) => load("x", file));
		const { results } = await runWith(files, [calls]);
		expect(results.map(({ isError }) => isError)).toEqual([true, true, true, true, false]);
		expect(results.map(({ text }) => text).join("\n")).not.toMatch(/seven|root:|KEY=1/u);
		expect(results[4]?.text).toContain("[Cut off: these are the first 50 KB of 98 KB.]");
	});

	it("keeps the skills of its start, and reads the text of one as it is when it is loaded", async () => {
		const meddle = (folder: string) =>
			withFiles(folder, { ...skillFile("new"), ...skillFile("review", "", "Changed.\n") });
		const { results } = await runWith(skillFile("review"), [[load("new"), load("review")]], { meddle });
		expect(results[0]?.text).toBe('There is no skill named "new". Available: review.');
		expect(results[1]?.text).toContain("Changed.");
	});

	it("has the skills of its role's pack in place of home's", async () => {
		const pack = Object.entries(skillFile("backend-rules")).map(([file, text]) => [
			`.agents/roles/backend/${file}`,
			text,
		]);
		const home = { ...skillFile("homely"), ...(Object.fromEntries(pack) as Record<string, string>) };
		const plain = await runWith({}, [], { home });
		expect(plain.requests[0]?.system).toContain("- homely:");
		const { requests, results } = await runWith({}, [[load("backend-rules")]], { home, request: { role: "backend" } });
		expect(requests[0]?.system).not.toContain("- homely:");
		expect(results[0]?.isError).toBe(false);
	});
});

describe("a skill's allowed-tools", () => {
	it("hold from the call that loads it, not before, and leave skill and todo", async () => {
		const files = skillFile("look", "allowed-tools: Read");
		const todo = aCall("todo", { items: [] }, "t");
		const shell = aCall("shell", { command: "true" }, "sh");
		const write = aCall("write_file", { path: "new.txt", content: "x" }, "w");
		const turns = [[read("notes.txt")], [load("look"), write], [shell], [todo, read("src/a.txt")], [load("look")]];
		const { results } = await runWith(files, turns);
		expect(results.map(({ isError }) => isError)).toEqual([false, false, true, true, false, false, false]);
		expect(results[1]?.text).toContain("you can use only: Read, skill, todo.");
		expect(results[2]?.text).toContain('The skill "look" is in use, and it leaves only Read, skill and todo');
	});

	it("narrow to a pattern: the command, and the files", async () => {
		const files = skillFile("narrow", "allowed-tools: Bash(git status:*) Read(src/**)");
		const shell = (command: string) => aCall("shell", { command }, command);
		const calls = [shell("rm notes.txt"), shell("git status && rm x"), read("notes.txt"), read("src/a.txt")];
		const { results } = await runWith(files, [[load("narrow")], calls]);
		expect(results.slice(1).map(({ text }) => text.includes("is in use"))).toEqual([true, true, true, false]);
		expect(results.at(-1)?.isError).toBe(false);
	});

	it("only narrow: a second skill widens nothing, and none gives what the agent does not have", async () => {
		const files = {
			...skillFile("look", "allowed-tools: Read"),
			...skillFile("list", "allowed-tools: Bash, Grep"),
			".agents/agents/scout.md": anAgentFile("scout", "tools: [read_file, skill]\n"),
		};
		const shell = aCall("shell", { command: "true" }, "sh");
		const { results } = await runWith(files, [[load("list")], [shell], [load("look")], [read("notes.txt")]]);
		expect(results.map(({ isError }) => isError)).toEqual([false, true, false, true]);
		expect(results[1]?.text).toContain("shell is not allowed for this agent");
		expect(results[3]?.text).toContain('The skill "list" is in use');
	});

	it("say nothing where the list is of everything, or can't be read", async () => {
		const files = { ...skillFile("all", 'allowed-tools: "*"'), ...skillFile("odd", "allowed-tools: Nonsense") };
		const { results } = await runWith(files, [[load("all")], [read("notes.txt")], [load("odd")], [read("src/a.txt")]]);
		expect(results.map(({ isError }) => isError)).toEqual([false, false, false, true]);
	});
});
