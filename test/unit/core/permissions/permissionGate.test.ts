import { linkSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldPath } from "../../../../src/core/base/isInside.ts";
import { findPathSyntaxProblem } from "../../../../src/core/permissions/findPathSyntaxProblem.ts";
import { createPermissionGate, type PermissionGateOptions } from "../../../../src/core/permissions/permissionGate.ts";
import { parseRule, type Rule } from "../../../../src/core/permissions/rule.ts";
import type { Decision, SideEffect } from "../../../../src/core/permissions/sideEffect.ts";
import { judgeShellCommand, quoteWord } from "../../../../src/core/permissions/shellCommand.ts";
import { canonicalToolName } from "../../../../src/core/tools/toolNames.ts";
import { temporaryFolder, withFiles, withLinks } from "../../../fakes/temporaryFolder.ts";

interface ShellRow {
	readonly id: string;
	readonly command: string;
	/** Missing for rows beyond the table. */
	readonly underList?: string;
	readonly underProgram: string;
}

interface PathRow {
	readonly id: string;
	readonly path: string;
	readonly read: string;
	readonly write: string;
	readonly writeUnderEdits: string;
	/** What the spelling alone comes to on Windows, where that differs. */
	readonly onWindows?: "deny";
	/** Of rules for this path, and what they come to where they allow. */
	readonly pattern?: string;
	readonly ifAllowed?: { readonly read: string; readonly write: string };
}

const corpus = new URL("../../../corpus/", import.meta.url);
const shellRows = JSON.parse(readFileSync(new URL("shell/commands.json", corpus), "utf8")) as ShellRow[];
const pathRows = JSON.parse(readFileSync(new URL("paths/paths.json", corpus), "utf8")) as PathRow[];

function rule(text: string, origin = "your settings"): Rule {
	const parsed = parseRule(text, { origin, canonicalName: canonicalToolName });
	if (!parsed.ok) throw new Error(parsed.problem.message);
	return parsed.rule;
}

type Lists = Partial<Record<"deny" | "ask" | "allow", readonly string[]>>;

/** A workspace at `ws` with links out of it, a home folder, the data folder, and a repository kept elsewhere. */
function aTree(): string {
	const outer = withFiles(temporaryFolder(), {
		"ws/a.txt": "",
		"ws/sub/b.txt": "",
		"ws/.git/config": "",
		"ws/lib/.git": "gitdir: ../modules/lib",
		"ws/modules/lib/HEAD": "",
		"ws/modules/lib/config": "",
		"ws-evil/x": "",
		"elsewhere/secret": "",
		"data/store.db": "",
	});
	mkdirSync(join(outer, "ws/modules/lib/objects"));
	mkdirSync(join(outer, "home"));
	linkSync(join(outer, "elsewhere/secret"), join(outer, "ws/hard"));
	const links = {
		link: "../elsewhere",
		dangling: "../elsewhere/new",
		loop: "loop",
		linkToGit: ".git",
		data: "../data",
	};
	withLinks(join(outer, "ws"), { ...links, store: "../data/store.db" });
	return outer;
}

function gateAt(outer: string, lists: Lists = {}, options: Partial<PermissionGateOptions> = {}) {
	const read = (texts: readonly string[] = []) => texts.map((text) => rule(text));
	return createPermissionGate({
		roots: [join(outer, "ws")],
		dataDir: join(outer, "data"),
		homeDir: join(outer, "home"),
		rules: { deny: read(lists.deny), ask: read(lists.ask), allow: read(lists.allow) },
		edits: "ask",
		isRestricted: false,
		isPlanMode: false,
		answers: () => [],
		...options,
	});
}

const run = (command: string) => ({ kind: "run", command }) as const;
const readOf = (path: string) => ({ kind: "read", path }) as const;
const writeOf = (path: string) => ({ kind: "write", path }) as const;
const scopes = (decision: Decision) =>
	decision.verdict === "ask" ? decision.ask.offers.map(({ scope }) => scope) : undefined;

const listed = ["status", "diff", "log"].map((verb) => `shell(git ${verb} *)`);
const rulesOfTable = [...listed, ...["ls", "echo", "cat", "wc"].map((program) => `shell(${program} *)`)];

describe("the shell corpus", () => {
	it.each(shellRows)("$id asks without rules", async ({ command }) => {
		expect(await gateAt(aTree()).decide(run(command), "shell")).toMatchObject({ verdict: "ask", path: "" });
	});

	it.each(shellRows.filter(({ underList }) => underList !== undefined))(
		"$id under the rules of the table: $underList",
		async ({ command, underList }) => {
			const decision = await gateAt(aTree(), { allow: rulesOfTable }).decide(run(command), "shell");
			expect(decision).toMatchObject({ verdict: underList });
		},
	);

	it.each(shellRows)("$id under a rule for each of its programs: $underProgram", async ({ command, underProgram }) => {
		const judged = judgeShellCommand(command);
		const found = (judged.isPlain ? judged.commands : judged.anyCommands).map(([program = ""]) => program);
		// A rule cannot even be written for a program that is not ASCII.
		const programs = found.filter((name) => /^[\x20-\x7e]+$/.test(name)).map((name) => `shell(${quoteWord(name)} *)`);
		const decision = await gateAt(aTree(), { allow: programs }).decide(run(command), "shell");
		expect(decision).toMatchObject({ verdict: underProgram });
	});
});

describe("the path corpus", () => {
	const kinds: Readonly<Record<string, object>> = {
		secret: { verdict: "ask", ask: { why: "Secret file" } },
		protected: { verdict: "ask", ask: { why: expect.stringContaining("Protected path"), offers: [] } },
	};
	const expected = (verdict = "") => kinds[verdict] ?? { verdict };

	it.each(pathRows)("$id: read $read, write $write", async (row) => {
		const outer = aTree();
		expect(await gateAt(outer).decide(readOf(row.path), "grep")).toMatchObject(expected(row.read));
		expect(await gateAt(outer).decide(writeOf(row.path), "write_file")).toMatchObject(expected(row.write));
		const open = gateAt(outer, { allow: ["edit_file", "edit_file(**)"] }, { edits: "allow" });
		expect(await open.decide(writeOf(row.path), "write_file")).toMatchObject(expected(row.writeUnderEdits));
	});

	// Where a file system takes both forms of a letter for one name, the rule names this very file.
	it.skipIf(foldPath("e\u0301") === "\u00e9").each(pathRows.filter(({ pattern }) => pattern !== undefined))(
		"$id under rules for $pattern: they deny and ask in either form, and allow $ifAllowed.write",
		async ({ path, pattern, ifAllowed }) => {
			const outer = withFiles(aTree(), { [`ws/${path}`]: "" });
			const rules = [`read_file(${pattern})`, `edit_file(${pattern})`];
			for (const list of ["deny", "ask"] as const) {
				const gate = gateAt(outer, { allow: [...rules, "edit_file"], [list]: rules }, { edits: "allow" });
				expect(await gate.decide(readOf(path), "read_file")).toMatchObject({ verdict: list });
				expect(await gate.decide(writeOf(path), "write_file")).toMatchObject({ verdict: list });
				expect(gate.leavesOut(join(outer, "ws", path), "grep")).toBe(true);
			}
			const gate = gateAt(outer, { allow: rules });
			expect(await gate.decide(readOf(path), "read_file")).toMatchObject(expected(ifAllowed?.read));
			expect(await gate.decide(writeOf(path), "write_file")).toMatchObject(expected(ifAllowed?.write));
		},
	);
});

describe("the path corpus on Windows", () => {
	it.each(pathRows.filter(({ onWindows }) => onWindows === "deny"))("$id is refused by its spelling", ({ path }) => {
		expect(findPathSyntaxProblem(path, "win32")).toBeDefined();
	});
});

describe("createPermissionGate", () => {
	it("allows, asks and denies in words that name the rule", async () => {
		const gate = gateAt(aTree(), { allow: ["shell(git diff *)"], ask: ["shell(git push *)"], deny: ["shell(rm *)"] });
		expect(await gate.decide(run("git diff"), "shell")).toEqual({
			verdict: "allow",
			path: "",
			because: "rule shell(git diff *) from your settings",
		});
		expect(await gate.decide(run("git diff && git push"), "shell_start")).toMatchObject({
			ask: { why: "Asked for by rule shell(git push *) from your settings", offers: [] },
		});
		for (const command of ["rm x", "echo $(rm x)", "sudo rm x", "/bin/rm x", "bash -c 'ls; rm x'", "ls &\nrm x"]) {
			expect(await gate.decide(run(command), "shell")).toEqual({
				verdict: "deny",
				reason: expect.stringMatching(/rule shell\(rm \*\) from your settings\. Do it another way/),
			});
		}
		expect(await gate.decide(run("ls"), "shell")).toMatchObject({
			ask: { why: "No rule allows it: ls", subject: "ls" },
		});
	});

	it("offers to remember each command to the word, and nothing when it is not plain", async () => {
		const gate = gateAt(aTree());
		const rules = ["shell(bash -c 'a b')", "shell(ls '*')"];
		expect(await gate.decide(run('bash -c "a b" | ls "*"'), "shell")).toMatchObject({
			ask: { offers: ["run", "agent", "always"].map((scope) => ({ scope, rules })) },
		});
		expect(scopes(await gate.decide(run("ls *"), "shell"))).toEqual([]);
		expect(await gateAt(aTree(), { allow: rules }).decide(run('bash -c "a b" | ls "*"'), "shell")).toMatchObject({
			verdict: "allow",
		});
	});

	it("lets the bare tool cover plain commands only", async () => {
		const gate = gateAt(aTree(), { allow: ["shell"] });
		expect(await gate.decide(run("npm test"), "shell")).toMatchObject({ verdict: "allow" });
		expect(await gate.decide(run("npm test > x"), "shell")).toMatchObject({ verdict: "ask" });
	});

	it("offers the exact path of a file, and takes the answer from then on", async () => {
		const outer = aTree();
		const decision = await gateAt(outer).decide(writeOf("sub/[b].txt"), "write_file");
		expect(scopes(decision)).toEqual(["run", "agent", "always"]);
		const text = decision.verdict === "ask" ? (decision.ask.offers[0]?.rules[0] ?? "") : "";
		const given: { verdict: "allow" | "deny"; scope: "run"; rule: Rule }[] = [];
		const gate = gateAt(outer, {}, { answers: () => given });
		expect(await gate.decide(writeOf("sub/[b].txt"), "write_file")).toMatchObject({ verdict: "ask" });
		given.push({ verdict: "allow", scope: "run", rule: rule(text, "your answer for this run") });
		expect(await gate.decide(writeOf("sub/[b].txt"), "edit_file")).toMatchObject({ verdict: "allow" });
		expect(await gate.decide(writeOf("sub/b.txt"), "edit_file")).toMatchObject({ verdict: "ask" });
		given.push({ verdict: "deny", scope: "run", rule: rule(text, "your answer for this run") });
		expect(await gate.decide(writeOf("sub/[b].txt"), "edit_file")).toMatchObject({ verdict: "deny" });
	});

	it("opens a secret file and a file outside only by a rule for it, and outside for this run only", async () => {
		const outer = aTree();
		expect(scopes(await gateAt(outer).decide(readOf("../elsewhere/secret"), "read_file"))).toEqual(["run"]);
		expect(scopes(await gateAt(outer).decide(readOf("sub/.env"), "read_file"))).toEqual(["run", "agent", "always"]);
		const wide = gateAt(outer, { allow: ["read_file(**)", `read_file(${outer}/elsewhere/*)`] });
		expect(await wide.decide(readOf("sub/.env"), "read_file")).toMatchObject({ verdict: "ask" });
		expect(await wide.decide(readOf("link/secret"), "read_file")).toMatchObject({ verdict: "allow" });
		const named = gateAt(outer, { allow: ["read_file(sub/.env)"] });
		expect(await named.decide(readOf("sub/.env"), "read_file")).toMatchObject({ verdict: "allow" });
	});

	it("holds a rule for reading against every reading tool, by the name and by where it leads", async () => {
		const outer = aTree();
		const gate = gateAt(outer, { deny: ["read_file(link/**)", "read_file(sub/**)"] });
		for (const path of ["sub/b.txt", "link/secret"]) {
			expect(await gate.decide(readOf(path), "grep")).toMatchObject({ verdict: "deny" });
		}
		expect(gate.leavesOut(join(outer, "ws/sub/b.txt"), "grep")).toBe(true);
		expect(gate.leavesOut(join(outer, "ws/a.txt"), "grep")).toBe(false);
		expect(gate.leavesOut(join(outer, "ws/.env"), "grep")).toBe(true);
		expect(gate.leavesOut(join(outer, "data/store.db"), "grep")).toBe(true);
	});

	it("asks for each host, and again for an address that is out of the ordinary", async () => {
		const gate = gateAt(aTree(), { allow: ["web_fetch(example.org)"], deny: ["web_fetch(bad.example)"] });
		const decide = (url: string) => gate.decide({ kind: "fetch", url }, "web_fetch");
		expect(await decide("https://example.org/x")).toMatchObject({ verdict: "allow" });
		expect(await decide("https://www.example.org/x")).toMatchObject({
			ask: { offers: [{ rules: ["web_fetch(www.example.org)"] }, {}, {}] },
		});
		for (const odd of ["http://example.org", "https://example.org:8443", `https://example.org?${"x".repeat(300)}`]) {
			expect(scopes(await decide(odd))).toEqual([]);
		}
		for (const bad of [
			"https://bad.example/",
			"http://bad.example:99/",
			"https://u@example.org",
			"file:///etc/passwd",
			"nothing",
		]) {
			expect(await decide(bad)).toMatchObject({ verdict: "deny" });
		}
	});

	it("judges what has no subject by the tool's name", async () => {
		const gate = gateAt(aTree(), {
			deny: ["mcp(evil)"],
			ask: ["todo"],
			allow: ["mcp(srv)", "mcp__srv__ok", "web_search"],
		});
		const none = { kind: "none" } as const;
		expect(await gate.decide(none, "skill")).toMatchObject({ verdict: "allow", because: "it touches nothing" });
		expect(await gate.decide(none, "todo")).toMatchObject({ verdict: "ask" });
		expect(await gate.decide({ kind: "search", query: "q" }, "web_search")).toMatchObject({ verdict: "allow" });
	});

	it("asks for a server's tool at its first use, each time or not at all, as its configuration says", async () => {
		const lists = { deny: ["mcp(evil)"], ask: ["mcp__srv__risky"], allow: ["mcp(srv)", "mcp__srv__ok"] };
		const gate = gateAt(aTree(), lists);
		const call = (server: string, tool: string, approval: "allow" | "eachCall" | "firstUse", isReadOnly = false) =>
			[{ kind: "mcp", server, tool, approval, isReadOnly }, `mcp__${server}__${tool}`] as const;
		expect(await gate.decide(...call("evil", "x", "allow"))).toMatchObject({ verdict: "deny" });
		expect(await gate.decide(...call("srv", "ok", "firstUse"))).toMatchObject({ verdict: "allow" });
		expect(await gate.decide(...call("srv", "other", "firstUse"))).toMatchObject({
			verdict: "ask",
			ask: { offers: [{ scope: "run", rules: ["mcp__srv__other"] }] },
		});
		expect(await gate.decide(...call("srv", "ok", "eachCall"))).toMatchObject({ verdict: "ask", ask: { offers: [] } });
		expect(await gate.decide(...call("srv", "risky", "allow"))).toMatchObject({ verdict: "ask" });
		expect(await gate.decide(...call("srv", "other", "allow"))).toMatchObject({ verdict: "allow" });
		const planning = gateAt(aTree(), lists, { isPlanMode: true });
		expect(await planning.decide(...call("srv", "ok", "allow"))).toMatchObject({ verdict: "deny" });
		expect(await planning.decide(...call("srv", "ok", "allow", true))).toMatchObject({ verdict: "allow" });
	});

	it("asks before a server of the folder is started, with all of its command, unless a rule speaks for that server", async () => {
		const start = (server: string) => [{ kind: "start", server, command: "npx it" }, `mcp(${server})`] as const;
		const gate = gateAt(aTree(), { deny: ["mcp(evil)"], allow: ["mcp(known)", "mcp__new__tool"] });
		expect(await gate.decide(...start("new"))).toMatchObject({
			verdict: "ask",
			ask: { subject: "npx it", offers: [] },
		});
		expect(await gate.decide(...start("known"))).toMatchObject({ verdict: "allow" });
		expect(await gate.decide(...start("evil"))).toMatchObject({ verdict: "deny" });
		const restricted = gateAt(aTree(), { allow: ["mcp(known)"] }, { isRestricted: true });
		expect(await restricted.decide(...start("known"))).toMatchObject({ verdict: "deny" });
	});

	it.each([
		["isPlanMode", "Put it into the plan"],
		["isRestricted", "Say in your report"],
	] as const)("denies changes and commands, without asking, under %s", async (mode, hint) => {
		const gate = gateAt(aTree(), { allow: ["shell", "edit_file"] }, { edits: "allow", [mode]: true });
		for (const effect of [writeOf("a.txt"), run("ls")]) {
			expect(await gate.decide(effect, "shell")).toEqual({ verdict: "deny", reason: expect.stringContaining(hint) });
		}
		expect(await gate.decide(readOf("a.txt"), "read_file")).toMatchObject({ verdict: "allow" });
		const outside = await gate.decide(readOf("../elsewhere/secret"), "read_file");
		expect(outside.verdict).toBe(mode === "isRestricted" ? "deny" : "ask");
	});

	it("reads in the workspace by the real path, also through a link, and in .git", async () => {
		const outer = withLinks(aTree(), { "ws/inner": "sub" });
		const allowed = { verdict: "allow", because: "reading in the workspace" };
		const path = join(outer, "ws/sub/b.txt");
		expect(await gateAt(outer).decide(readOf("inner/b.txt"), "read_file")).toEqual({ ...allowed, path });
		expect(await gateAt(outer).decide(readOf(".git/config"), "read_file")).toMatchObject(allowed);
	});

	it.each([false, true])("says what to do when no folder is open, restricted %s", async (isRestricted) => {
		const decision = await gateAt(aTree(), {}, { roots: [], isRestricted }).decide(readOf("a.txt"), "read_file");
		expect(decision).toEqual({
			verdict: "deny",
			reason: expect.stringMatching(/^No folder is open .*open a folder\.$/),
		});
	});

	it("keeps to its folder's real path when the folder becomes a link later", async () => {
		const outer = aTree();
		const gate = gateAt(outer, {}, { isRestricted: true });
		expect(await gate.decide(readOf("../elsewhere/secret"), "read_file")).toMatchObject({ verdict: "deny" });
		renameSync(join(outer, "ws"), join(outer, "old"));
		symlinkSync(join(outer, "elsewhere"), join(outer, "ws"));
		expect(await gate.decide(readOf("secret"), "read_file")).toMatchObject({ verdict: "deny" });
	});

	it("denies what it cannot judge", async () => {
		const broken = gateAt(aTree(), {}, { answers: () => JSON.parse("{") as never });
		expect(await broken.decide(readOf("a.txt"), "read_file")).toMatchObject({ verdict: "deny" });
		expect(await gateAt(aTree(), {}, { roots: [] }).decide(readOf("a.txt"), "read_file")).toMatchObject({
			verdict: "deny",
		});
		expect(await gateAt(aTree()).decide(run("x".repeat(200_000)), "shell")).toMatchObject({ verdict: "deny" });
	});

	it("never allows more when a rule that asks or denies is added", async () => {
		const outer = aTree();
		const texts = [
			"shell",
			"shell(git *)",
			"shell(ls)",
			"edit_file(sub/**)",
			"read_file",
			"read_file(**/b.txt)",
			"web_fetch(example.org)",
			"todo",
		];
		const effects: readonly SideEffect[] = [
			...["git status", "ls", "ls | git log", "ls $(git x)", "git -c x y"].map(run),
			...["a.txt", "sub/b.txt", ".env", "link/secret"].flatMap((path) => [readOf(path), writeOf(path)]),
			{ kind: "fetch", url: "https://example.org/" },
			{ kind: "none" },
		];
		const tools = {
			run: "shell",
			read: "grep",
			write: "write_file",
			fetch: "web_fetch",
			none: "todo",
			search: "web_search",
			mcp: "mcp__files__read",
			start: "mcp(files)",
		};
		const rank = { allow: 0, ask: 1, deny: 2 };
		const some = fc.subarray(texts);
		await fc.assert(
			fc.asyncProperty(
				fc.record({ allow: some, ask: some, deny: some }),
				fc.constantFrom("ask", "deny"),
				fc.constantFrom(...texts),
				fc.constantFrom(...effects),
				async (lists, list, added, effect) => {
					const before = await gateAt(outer, lists).decide(effect, tools[effect.kind]);
					const after = await gateAt(outer, { ...lists, [list]: [...lists[list as "ask"], added] }).decide(
						effect,
						tools[effect.kind],
					);
					expect(rank[after.verdict]).toBeGreaterThanOrEqual(rank[before.verdict]);
				},
			),
			{ numRuns: 500 },
		);
	});
});
