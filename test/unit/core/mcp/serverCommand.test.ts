import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { explainAskedAgain } from "../../../../src/core/mcp/explainAskedAgain.ts";
import { commandForTerminal, describeServer } from "../../../../src/core/mcp/serverCommand.ts";

const words = [
	"plain",
	"",
	"two words",
	"$HOME",
	"`id`",
	'a "quoted" word',
	"it's",
	"*",
	"~",
	";",
	"a\\",
	"line\nline",
];

describe("the command of a server", () => {
	it("means in a terminal the same words that are configured", () => {
		const command = commandForTerminal({ fields: { command: "printf", args: [String.raw`%s\0`, ...words] } }, false);
		const said = execFileSync("bash", ["-c", command], { encoding: "utf8" });
		expect(said.split("\0").slice(0, -1)).toEqual(words);
	});

	it("is quoted on Windows as programs there take their words apart", () => {
		const args = ["plain", "two words", 'say "hi"', "C:\\my folder\\", String.raw`a\"b`];
		expect(commandForTerminal({ fields: { command: "C:\\Program Files\\node.exe", args } }, true)).toBe(
			String.raw`"C:\Program Files\node.exe" plain "two words" "say \"hi\"" "C:\my folder\\" "a\\\"b"`,
		);
	});

	it("is shown to people with each word apart from the next", () => {
		const fields = { command: "/usr/bin/node", args: ["a.js", "two words", ""] };
		expect(describeServer({ fields })).toBe('/usr/bin/node a.js "two words" ""');
	});

	it("is the address of a server on the network", () => {
		const fields = { url: "https://example.org/mcp?a=1" };
		expect([describeServer({ fields }), commandForTerminal({ fields }, false)]).toEqual([fields.url, fields.url]);
	});
});

describe("why a server is asked about again", () => {
	const earlier = { hash: "one", subject: "node a.js", revokedAt: null };

	it.for([
		["the consent was taken back", { ...earlier, revokedAt: 1 }, earlier, /consent was taken back/u],
		["the command has changed", earlier, { hash: "two", subject: "node b.js" }, /Allowed before: node a\.js$/u],
		[
			"something beside it has changed",
			earlier,
			{ hash: "two", subject: "node a.js" },
			/what stands beside the command/u,
		],
	] as const)("is told: %s", ([, before, now, says]) => {
		expect(explainAskedAgain(before, now)).toMatch(says);
	});

	it("shows the earlier command on one line, at most 300 characters of it, and what is hidden in it", () => {
		const subject = `node\n\u202E${"x".repeat(1000)}`;
		const text = explainAskedAgain({ ...earlier, subject }, { hash: "two", subject: "node b.js" });
		const shown = text.split("Allowed before: ")[1] ?? "";
		expect(shown).toMatch(/^node ⏎ ⟨U\+202E⟩x+…$/u);
		expect(shown).toHaveLength(300);
	});
});
