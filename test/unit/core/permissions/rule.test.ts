import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
	escapePath,
	isRuleFor,
	matchCommand,
	matchHost,
	matchPath,
	parseRule,
	ruleForWords,
	type Rule,
} from "../../../../src/core/permissions/rule.ts";
import { canonicalToolName } from "../../../../src/core/tools/toolNames.ts";

const context = { origin: "your settings", canonicalName: canonicalToolName };
const places = { roots: ["/ws", "/other"], homeDir: "/home/me" };

function rule(text: string): Rule {
	const parsed = parseRule(text, context);
	if (!parsed.ok) throw new Error(parsed.problem.message);
	return parsed.rule;
}

describe("parseRule", () => {
	it.each([
		["shell", "shell"],
		["Bash(git diff:*)", "shell"],
		["Read(src/**)", "read_file"],
		["edit(src/**)", "edit_file"],
		["WebFetch(domain:example.org)", "web_fetch"],
		["mcp__srv__tool", "mcp__srv__tool"],
		["mcp(srv)", "mcp"],
		["sessions_spawn", "sessions_spawn"],
		["cron", "cron"],
	])("reads %s as a rule for %s", (text, tool) => {
		expect(rule(text)).toMatchObject({ text, tool, origin: "your settings" });
	});

	it.each([
		["", "not of the form"],
		["shell(", "not of the form"],
		["shell)x", "not of the form"],
		["a b", "not of the form"],
		["shell()", "empty pattern"],
		["shell(a && b)", "several commands"],
		["shell(a $(b))", "may expand"],
		["shell(a 'b)", "not complete"],
		["shell(a > b)", "redirects"],
		["nothing", "no such tool"],
		["toString", "no such tool"],
		["todo(x)", "cannot have"],
		["sessions_spawn(x)", "cannot have"],
		["edit_file(!src/**)", "negated"],
		["edit_file(../x)", ".."],
		["read_file([a)", "no valid glob"],
		["read_file(a\\)", "ends in a backslash"],
		["read_file(*a*b*c*d)", "more wildcards"],
		["read_file(**/a/**/b/**/c/**)", "more wildcards"],
		["web_fetch(https://example.org/)", "host"],
		["web_fetch(*.example.org)", "host"],
		["mcp", "names no server"],
		["mcp()", "names no server"],
		["mcp__srv", "mcp__server__tool"],
		["mcp__srv__*", "mcp__server__tool"],
		["mcp__srv__tool(x)", "cannot have"],
	])("says what is wrong with %j", (text, detail) => {
		const parsed = parseRule(text, context);
		expect(parsed).toMatchObject({ ok: false, problem: { code: "permissions.badRule" } });
		expect(parsed).toMatchObject({ problem: { message: expect.stringContaining(detail) } });
		expect(parsed).toMatchObject({ problem: { message: expect.stringContaining("not in force") } });
	});
});

describe("matchPath", () => {
	it.each([
		["edit_file(src/**)", "/ws/src/a/.b", "glob"],
		["edit_file(src/**)", "/other/src/a", "glob"],
		["edit_file(src/**)", "/elsewhere/src/a", undefined],
		["edit_file(./a.ts)", "/ws/a.ts", "exact"],
		["edit_file(*.ts)", "/ws/a.ts", "glob"],
		["edit_file(*.ts)", "/ws/src/a.ts", undefined],
		["edit_file(**)", "/ws", "glob"],
		["edit_file([id].ts)", "/ws/[id].ts", "exact"],
		["edit_file(\\[id\\].ts)", "/ws/[id].ts", "exact"],
		["edit_file(@(a|b))", "/ws/a", undefined],
		["edit_file((group)/*.ts)", "/ws/(group)/a.ts", "glob"],
		["edit_file([!a].ts)", "/ws/b.ts", "glob"],
		["edit_file([!a].ts)", "/ws/a.ts", undefined],
		["edit_file({a,b}.ts)", "/ws/b.ts", "glob"],
		["edit_file(/etc/*)", "/etc/hosts", "glob"],
		["edit_file(~/notes/*)", "/home/me/notes/a", "glob"],
		["edit_file", "/anywhere", "glob"],
	])("%s on %s: %s", (text, path, expected) => {
		expect(matchPath(rule(text), path, places)).toBe(expected);
	});

	describe.each([
		["linux", undefined, undefined],
		["darwin", "exact", "glob"],
	] as const)("on %s, where another Unicode form is %s", (platform, exact, glob) => {
		it.each([
			["edit_file(caf\u00e9/a.md)", "/ws/cafe\u0301/a.md", exact],
			["edit_file(cafe\u0301/a.md)", "/ws/caf\u00e9/a.md", exact],
			["edit_file(Docs/a.md)", "/ws/docs/A.md", exact],
			["edit_file(caf\u00e9/**)", "/ws/cafe\u0301/a.md", glob],
			["edit_file(caf\u00e9/**)", "/ws/caf\u00e9/a.md", "glob"],
		])("%s on %s: %s", (text, path, expected) => {
			const own = Object.getOwnPropertyDescriptor(process, "platform") ?? {};
			onTestFinished(() => void Object.defineProperty(process, "platform", own));
			Object.defineProperty(process, "platform", { ...own, value: platform });
			expect(matchPath(rule(text), path, places)).toBe(expected);
		});
	});

	it("takes an escaped path for that path and no other", () => {
		const name = fc.string({ unit: fc.constantFrom(..."ab*?[]{}()!+@|^$\\., -#~"), minLength: 1, maxLength: 8 });
		fc.assert(
			fc.property(name, name, (one, other) => {
				fc.pre(!["..", "."].includes(one) && !["..", "."].includes(other));
				const exact = rule(`edit_file(/x/${escapePath(one)})`);
				expect(matchPath(exact, `/x/${one}`, places)).toBe("exact");
				expect(matchPath(exact, `/x/${other}`, places)).toBe(one === other ? "exact" : undefined);
			}),
			{ numRuns: 3_000 },
		);
	});
});

describe("any path pattern", () => {
	it("is refused or matched at once, whatever it is made of", () => {
		const text = fc.string({ unit: fc.constantFrom(..."ab*?[]{}()!+@|^$\\,/."), minLength: 1, maxLength: 12 });
		fc.assert(
			fc.property(text, (pattern) => {
				const parsed = parseRule(`edit_file(${pattern})`, context);
				const match = parsed.ok ? matchPath(parsed.rule, `/ws/${"a".repeat(200)}`, places) : undefined;
				expect([undefined, "glob"]).toContain(match);
			}),
			{ numRuns: 5_000 },
		);
	});
});

describe("matchCommand", () => {
	it.each([
		["shell", "a", "any"],
		["shell(git diff)", "git diff", "exact"],
		["shell(git diff)", "git diff x", undefined],
		["shell(git diff *)", "git diff", "open"],
		["shell(git diff *)", "git diff x y", "open"],
		["shell(git diff *)", "git difftool", undefined],
		["shell(git diff:*)", "git diff x", "open"],
		["shell(git '*')", "git x", undefined],
		["shell(git '*')", "git *", "exact"],
		["shell(git * x)", "git a x", undefined],
		["shell(*)", "a b", "open"],
	])("%s on %s: %s", (text, command, expected) => {
		expect(matchCommand(rule(text), command.split(" "))).toBe(expected);
	});

	it("finds its own words again, whatever they are", () => {
		fc.assert(
			fc.property(fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 4 }), (rest) => {
				expect(matchCommand(rule(ruleForWords(["p", ...rest])), ["p", ...rest])).toBe("exact");
			}),
			{ numRuns: 2_000 },
		);
	});
});

describe("isRuleFor", () => {
	it.each([
		["read_file(a)", "grep", "read", true],
		["grep(a)", "read_file", "read", false],
		["edit_file(a)", "write_file", "write", true],
		["write_file(a)", "edit_file", "write", false],
		["shell(a)", "shell_start", "run", true],
		["read_file", "todo", "none", false],
		["mcp(srv)", "mcp__srv__tool", "none", true],
		["mcp(srv)", "mcp__srv2__tool", "none", false],
	])("%s for %s that does a %s: %s", (text, tool, kind, expected) => {
		expect(isRuleFor(rule(text), tool, kind)).toBe(expected);
	});
});

describe("matchHost", () => {
	it("compares whole hosts", () => {
		expect(matchHost(rule("web_fetch(Example.org)"), "example.org")).toBe(true);
		expect(matchHost(rule("web_fetch(example.org)"), "www.example.org")).toBe(false);
		expect(matchHost(rule("web_fetch"), "www.example.org")).toBe(true);
	});
});
