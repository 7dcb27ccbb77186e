import * as fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { describe, expect, it } from "vitest";
import { locateTomlKey } from "../../../../src/core/config/locateTomlKey.ts";
import type { Path } from "../../../../src/core/config/positionTree.ts";
import { locateToml } from "../../../../src/core/config/tomlPositions.ts";

const place = (text: string, ...path: Path) => {
	const { line, column, endLine, endColumn } = locateTomlKey(text, path);
	expect(endLine).toBe(line);
	return `${line}:${column}-${endColumn}`;
};

describe("locateTomlKey", () => {
	it("finds keys of the top level and of tables", () => {
		const text = `# first\na = 1\n\n[mcp_servers.context7]\n  command = "npx" # why\n`;
		expect(place(text, "a")).toBe("2:1-2");
		expect(place(text, "mcp_servers")).toBe("4:2-13");
		expect(place(text, "mcp_servers", "context7")).toBe("4:14-22");
		expect(place(text, "mcp_servers", "context7", "command")).toBe("5:3-10");
	});

	it("finds dotted, quoted and spaced keys", () => {
		const text = `a.b . "c d".'e.f' = 1\n[ x . "y\\u007A" ]\n"" = 2\n`;
		expect(place(text, "a")).toBe("1:1-2");
		expect(place(text, "a", "b")).toBe("1:3-4");
		expect(place(text, "a", "b", "c d")).toBe("1:7-12");
		expect(place(text, "a", "b", "c d", "e.f")).toBe("1:13-18");
		expect(place(text, "x", "yz")).toBe("2:7-16");
		expect(place(text, "x", "yz", "")).toBe("3:1-3");
	});

	it("finds elements of arrays of tables, and what is in the last of them", () => {
		const text = `[[agents.list]]\nid = "a"\n[[agents.list]]\nid = "b"\n[agents.list.subagents]\nmodel = "x/y"\n`;
		expect(place(text, "agents", "list", 0)).toBe("1:10-14");
		expect(place(text, "agents", "list", 0, "id")).toBe("2:1-3");
		expect(place(text, "agents", "list", 1)).toBe("3:10-14");
		expect(place(text, "agents", "list", 1, "subagents")).toBe("5:14-23");
		expect(place(text, "agents", "list", 1, "subagents", "model")).toBe("6:1-6");
	});

	it("finds keys of inline tables and elements of arrays, over several lines", () => {
		const text = `a = { b = 1, "c" = [ "x", # no ]\n  { d = 2 },\n  3 ] }\ne = 4\n`;
		expect(place(text, "a", "b")).toBe("1:7-8");
		expect(place(text, "a", "c")).toBe("1:14-17");
		expect(place(text, "a", "c", 0)).toBe("1:22-25");
		expect(place(text, "a", "c", 1)).toBe("2:3-12");
		expect(place(text, "a", "c", 1, "d")).toBe("2:5-6");
		expect(place(text, "a", "c", 2)).toBe("3:3-4");
		expect(place(text, "e")).toBe("4:1-2");
	});

	it("is not misled by what stands in texts", () => {
		const text = `a = """\n[x]\nb = 1 \\""" ""\n"""""\nc = '''\n[[y]]'''\nd = "# \\" ["\ne = '\\'\nf = 1\n`;
		expect(parse(text)).toHaveProperty("f");
		expect(["a", "c", "d", "e", "f"].map((key) => place(text, key).split(":")[0])).toEqual(["1", "5", "7", "8", "9"]);
	});

	it("prefers the table's own header to where it was only passed through", () => {
		const text = `[a.b.c]\nx = 1\n[a.b]\ny = 2\n`;
		expect(place(text, "a")).toBe("1:2-3");
		expect(place(text, "a", "b")).toBe("3:4-5");
		expect(place(text, "a", "b", "c", "x")).toBe("2:1-2");
	});

	it("gives the nearest parent of what is not written", () => {
		expect(place("[a]\nb = 1\n", "a", "missing", "deeper")).toBe("1:2-3");
		expect(place("", "a")).toBe("1:1-1");
	});

	it("counts columns as editors do, with CRLF and without the byte-order mark", () => {
		expect(place(`[a]\r\n"🙂" = { "ü" = 1 }\r\n`, "a", "🙂", "ü")).toBe("2:10-13");
	});
});

describe("locateToml", () => {
	it("says where a text is nested too deep, and goes no further", () => {
		expect(locateToml("a.b.c = 1", 3).tooDeep).toBeUndefined();
		expect(locateToml("a.b.c.d = 1", 3).tooDeep).toMatchObject({ line: 1, column: 7 });
		expect(locateToml("\na = [[[1]]]", 3).tooDeep).toMatchObject({ line: 2, column: 8 });
		expect(locateToml("[a.b]\nc = { d = 1 }", 3).tooDeep).toMatchObject({ line: 2, column: 7 });
		expect(locateToml("[[a.b]]\nc = 1", 3).tooDeep).toMatchObject({ line: 2, column: 1 });
		expect(locateToml(`a = ${"[".repeat(100_000)}`, 8).tooDeep).toMatchObject({ line: 1, column: 13 });
		expect(locateToml(`${"a.".repeat(100_000)}a = 1`, 8).tooDeep).toMatchObject({ line: 1 });
	});

	const key = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom("a", "b-c", "d.e", "", "[x]", "#", '"', "\\"));
	const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom('"""', "'''", "\n[a]\n", "\\"));
	const { document } = fc.letrec((tie) => ({
		value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie("value"), { maxLength: 3 }), tie("document")),
		document: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
	}));

	it("finds every key and element of every text that the parser reads", () => {
		fc.assert(
			fc.property(document, (value) => {
				const text = stringify(value);
				const { tree } = locateToml(text, 20);
				expect(shapeOf(tree)).toEqual(keysOf(parse(text)));
			}),
		);
	});

	it("ends on every text, whatever it is", () => {
		const pieces = fc.constantFrom("[", "]", "{", "}", "=", ".", ",", '"', "'", '"""', "\n", "#", "\\", "a", " ", "\r");
		fc.assert(
			fc.property(fc.array(pieces, { maxLength: 60 }), (signs) => {
				expect(locateToml(signs.join(""), 8).tree).toBeDefined();
			}),
		);
	});
});

type Shape = Map<string | number, Shape>;

function shapeOf({ children }: { children: ReadonlyMap<string | number, Parameters<typeof shapeOf>[0]> }): Shape {
	return new Map([...children].map(([step, child]) => [step, shapeOf(child)]));
}

function keysOf(value: unknown): Shape {
	if (typeof value !== "object" || value === null || value instanceof Date) return new Map();
	if (Array.isArray(value)) return new Map(value.map((item, index) => [index, keysOf(item)]));
	return new Map(Object.entries(value).map(([key, part]) => [key, keysOf(part)]));
}
