import { describe, expect, it } from "vitest";
import { prescan } from "../../../../src/core/agents/prescan.ts";

const scan = (text: string | Uint8Array) => prescan(typeof text === "string" ? Buffer.from(text) : text);
const codeOf = (text: string | Uint8Array) => {
	const result = scan(text);
	return result.isSafe ? "safe" : result.problem.code;
};

describe("prescan", () => {
	it("lets a small file with frontmatter through as text", () => {
		expect(scan("---\nname: a\n---\nBody")).toEqual({ isSafe: true, text: "---\nname: a\n---\nBody" });
	});

	it("strips a byte-order mark and accepts CRLF", () => {
		expect(scan("\uFEFF---\r\nname: a\r\n---\r\nBody\r\n")).toEqual({
			isSafe: true,
			text: "---\r\nname: a\r\n---\r\nBody\r\n",
		});
	});

	it.each([
		["nothing", ""],
		["only blanks", " \n\t\n"],
		["only a byte-order mark", "\uFEFF"],
	])("refuses a file with %s as empty (A01, A02)", (_what, text) => {
		expect(codeOf(text)).toBe("agent.empty");
	});

	it.each(["You help.", "---js\n({})\n---\nx", "---javascript\n---\nx", "---json\n{}\n---\nx", "---- \na: 1\n---\nx"])(
		"refuses a first line other than three dashes: %j (A03, A05)",
		(text) => {
			const result = scan(text);
			expect(result).toMatchObject({ isSafe: false, problem: { code: "agent.noFrontmatter", line: 1 } });
		},
	);

	it.each(["---", "---\nname: a\n", "---\nname: a\n --- \nbody", "---\rname: a\r---\rbody"])(
		"refuses frontmatter without an end: %j (A04, A30)",
		(text) => {
			expect(codeOf(text)).toMatch(/agent\.(unclosed|noFrontmatter)/u);
		},
	);

	it("names the line that only looks like the end, from its first to its last character", () => {
		expect(scan("---\nname: a\n---more\nbody")).toMatchObject({
			problem: { code: "agent.unclosed", line: 3, column: 1, endLine: 3, endColumn: 8 },
		});
	});

	it.each([
		["UTF-16", Buffer.from("---\nname: a\n---\nBody", "utf16le")],
		["Latin-1", Buffer.from("---\nname: é\n---\nBody", "latin1")],
		["an overlong sequence", Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xc0, 0xaf])],
		["a NUL byte", Buffer.from("---\nname: a\n---\nBo\0dy")],
	])("refuses %s (A30)", (_what, bytes) => {
		expect(codeOf(bytes)).toBe("agent.encoding");
	});

	it("refuses 10 MB without reading them", () => {
		expect(codeOf(Buffer.alloc(10_000_000, "a"))).toBe("agent.tooLarge");
	});

	it("refuses frontmatter over 16 KB, however long the body may be (A06)", () => {
		expect(codeOf(`---\ndescription: ${"a".repeat(16_384)}\n---\nBody`)).toBe("agent.tooLarge");
		expect(codeOf(`---\ndescription: a\n---\n${"a".repeat(200_000)}`)).toBe("safe");
	});

	it("refuses frontmatter of many blank lines, on which gray-matter would spend seconds", () => {
		expect(codeOf(`---\n${"\n".repeat(60_000)}name: a\n---\nBody`)).toBe("agent.tooLarge");
	});

	it("names the line of the file where an alias or too deep nesting is", () => {
		expect(scan("---\na: 1\nb: *c\n---\nx")).toMatchObject({ problem: { code: "agent.alias", line: 3 } });
		expect(scan(`---\na: ${"[".repeat(20_000)}\n---\nx`)).toMatchObject({ problem: { code: "agent.depth", line: 2 } });
	});
});
