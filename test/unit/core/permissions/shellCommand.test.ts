import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeShellCommand, parsePatternWords, quoteWord } from "../../../../src/core/permissions/shellCommand.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

describe("judgeShellCommand", () => {
	it.each([
		["git status", [["git", "status"]]],
		["g\"i\"t 'a b'\"c d\" ''", [["git", "a bc d", ""]]],
		["a b|c;d && e || f;", [["a", "b"], ["c"], ["d"], ["e"], ["f"]]],
		["find . -\"exec\" 'rm' '*' --x=y", [["find", ".", "-exec", "rm", "*", "--x=y"]]],
	])("takes %j apart as bash does", (text, commands) => {
		expect(judgeShellCommand(text)).toEqual({ isPlain: true, commands });
	});

	it.each([
		["a & b", "background", [["a"], ["b"]]],
		["a |& b", "redirects", [["a"], ["b"]]],
		["a > b", "redirects", [["a"]]],
		["X=1 a", "sets a variable", [["a"]]],
		["! a", "negated", [["a"]]],
		["a\nb", "line break", [["a"], ["b"]]],
		["a 'b", "not complete", [["a", "b"]]],
		["a # b", "more than commands", [["a"]]],
		[
			"a $(b c)",
			"may expand",
			[
				["a", "$(b c)"],
				["b", "c"],
			],
		],
		['a "`b`"', "may expand", [["a", "`b`"], ["b"]]],
		["a <(b) ${x:-$(c)}", "may expand", [["a", "<(b)", "${x:-$(c)}"], ["b"], ["c"]]],
		["if a; then b; fi", "contains a If", [["a"], ["b"]]],
		["f() { a; }; (b)", "contains a Function", [["a"], ["b"]]],
		["cat <<E\n$(a)\nE", "line break", [["cat"], ["a"]]],
		["", "is empty", []],
	])("does not take %j for plain, says why, and still finds its commands", (text, why, anyCommands) => {
		expect(judgeShellCommand(text)).toEqual({ isPlain: false, why: expect.stringContaining(why), anyCommands });
	});

	it("does not parse what is too long to run", () => {
		expect(judgeShellCommand("a ".repeat(70_000))).toEqual({ isPlain: false, why: "is too long", anyCommands: [] });
	});

	it("survives any text", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
				expect(typeof judgeShellCommand(text).isPlain).toBe("boolean");
			}),
			{ numRuns: 500 },
		);
	});

	it("gives for thousands of plain commands the words that a real bash runs", () => {
		const folder = temporaryFolder({ a: "", b: "", script: "" });
		const samples = fc
			.sample(fc.tuple(commandLine("&&"), commandLine("||")), 7_000)
			.flat()
			.flatMap(({ text, status }) => {
				const judged = judgeShellCommand(text);
				return judged.isPlain ? [{ text, status, commands: judged.commands }] : [];
			});
		expect(samples.length).toBeGreaterThan(3_000);
		const lines = samples.map(
			({ text, status }) => `status=${status}; eval ${quoteForBash(text)}; wait; printf '\\2\\0'`,
		);
		writeFileSync(
			join(folder, "script"),
			`exec 3>&1\nPATH=/nonexistent\ncommand_not_found_handle() { printf '%s\\0' "$@" $'\\1' >&3; return $status; }\n${lines.join("\n")}\n`,
		);
		const output = execFileSync("bash", ["--noprofile", "--norc", "script"], {
			cwd: folder,
			env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
			encoding: "utf8",
			maxBuffer: 64_000_000,
		});
		const ran = output
			.split("\u0002\0")
			.slice(0, -1)
			.map((part) => part.split("\u0001\0").slice(0, -1).toSorted());
		const parsed = samples.map(({ commands }) =>
			commands.map((argv) => argv.map((word) => `${word}\0`).join("")).toSorted(),
		);
		expect(samples.map(({ text }, n) => [text, ran[n]])).toEqual(samples.map(({ text }, n) => [text, parsed[n]]));
	}, 60_000);
});

describe("parsePatternWords", () => {
	it("takes wildcards for themselves and quotes for quotes", () => {
		expect(parsePatternWords("ls '*.x' *.y ~/a {b,c} [d]? \"e f\"")).toEqual({
			ok: true,
			words: ["ls", "*.x", "*.y", "~/a", "{b,c}", "[d]?", "e f"],
		});
	});

	it.each(["a && b", "a; b", "a $(b)", "a > b", "a 'b", "X=1 a", "a &", "a\nb", ""])("refuses %j", (text) => {
		expect(parsePatternWords(text)).toMatchObject({ ok: false });
	});

	it("gives back every word that was quoted for a rule", () => {
		fc.assert(
			fc.property(fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 5 }), (rest) => {
				const words = ["program", ...rest];
				expect(parsePatternWords(words.map(quoteWord).join(" "))).toEqual({ ok: true, words });
			}),
			{ numRuns: 2_000 },
		);
	});
});

/** Command lines with one logical operator, so that with the right exit status every command in them runs. */
function commandLine(operator: "&&" | "||"): fc.Arbitrary<{ text: string; status: number }> {
	const quoted = fc.string({ unit: fc.constantFrom(..."ab $*~'\"\\{}#=&|;!`"), maxLength: 4 });
	const piece = fc.oneof(
		{
			weight: 8,
			arbitrary: fc.constantFrom("x", "y", "-z", "--o=p", "a/b", "1", "2", ",", ":", "@", "+", "%", "^", ".", "_"),
		},
		{ weight: 3, arbitrary: quoted.map((text) => `'${text.replaceAll("'", "")}'`) },
		{ weight: 3, arbitrary: quoted.map((text) => `"${text.replaceAll('"', "")}"`) },
		{
			weight: 1,
			arbitrary: fc.constantFrom(
				"*",
				"?",
				"~",
				"$x",
				"\\",
				"{a,b}",
				"#",
				"!",
				"=",
				"[ab]",
				"$'q'",
				"time",
				"in",
				"do",
				"if",
				"{",
				"}",
			),
		},
	);
	const word = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(""));
	const program = fc.oneof(
		{ weight: 9, arbitrary: fc.constantFrom("prog", "'pr'og", 'p"ro"g', "g+", "x-y", "'a b'") },
		{ weight: 1, arbitrary: fc.constantFrom("time", "coproc", "function", "'if'", "in", "select", "then") },
	);
	const command = fc
		.tuple(program, fc.array(word, { maxLength: 3 }))
		.map(([name, words]) => [name, ...words].join(" "));
	const separator = fc.constantFrom(";", " ; ", "|", " | ", operator, ` ${operator} `);
	return fc
		.tuple(
			command,
			fc.array(fc.tuple(separator, command), { maxLength: 3 }),
			fc.constantFrom("", " ", ";", " # c", " &"),
		)
		.map(([first, rest, end]) => ({
			text: first + rest.flat().join("") + end,
			status: operator === "&&" ? 0 : 1,
		}));
}

function quoteForBash(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
