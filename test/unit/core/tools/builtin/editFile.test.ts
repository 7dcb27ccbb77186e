import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EditorPort } from "../../../../../src/core/ports/editor.ts";
import { editFile } from "../../../../../src/core/tools/builtin/editFile.ts";
import { readFile } from "../../../../../src/core/tools/builtin/readFile.ts";
import { replaceText } from "../../../../../src/core/tools/builtin/replaceText.ts";
import { temporaryFolder } from "../../../../fakes/temporaryFolder.ts";
import { aRunsServices, execute } from "../execute.ts";

const { signal } = new AbortController();

/** The file after one edit of it, and what was said. */
async function edit(content: string | Uint8Array, input: Record<string, unknown>) {
	const root = temporaryFolder({ file: content });
	const { text, isError } = await execute(editFile, root, { path: "file", ...input });
	return { text, isError, content: readFileSync(join(root, "file")).toString() };
}

describe("edit_file", () => {
	it("replaces a text that occurs once, and says where", async () => {
		expect(await edit("one\ntwo\nthree\n", { old_string: "two", new_string: "2" })).toEqual({
			text: "Edited file: one replacement, in line 2.",
			isError: false,
			content: "one\n2\nthree\n",
		});
	});

	it("takes what looks like a pattern for text", async () => {
		const { content } = await edit("a.c $& abc", { old_string: "a.c $&", new_string: "$1 $& $$" });
		expect(content).toBe("$1 $& $$ abc");
	});

	it("replaces every occurrence when told to", async () => {
		const { content, text } = await edit("a b\na\naa", { old_string: "a", new_string: "x", replace_all: true });
		expect([content, text]).toEqual(["x b\nx\nxx", "Edited file: 4 replacements, in lines 1, 2, 3, 3."]);
	});

	it("makes several edits one after the other, or none", async () => {
		const edits = [
			{ old_string: "one", new_string: "two" },
			{ old_string: "two", new_string: "three", replace_all: true },
		];
		expect((await edit("one two", { edits })).content).toBe("three three");
		const failing = [...edits, { old_string: "missing", new_string: "" }];
		const { content, text } = await edit("one two", { edits: failing });
		expect([content, text]).toEqual(["one two", expect.stringContaining("Edit 3 of 3: old_string was not found")]);
	});

	it.each([
		["Windows line ends", "a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"],
		["line ends at the border of the match", "a\r\nb\r\n", "a\n", "", "b\r\n"],
		["a mix of line ends, outside of the match", "a\nb\r\nc\r\nd\n\r\n", "c", "x\ny", "a\nb\r\nx\r\ny\r\nd\n\r\n"],
		["Windows line ends that the model wrote too", "a\r\nb", "a\r\nb", "c\r\nd", "c\r\nd"],
		["plain line ends, though the model wrote others", "a\nb\n", "b", "c\r\nd", "a\nc\nd\n"],
		["a byte-order mark", "\uFEFFone\ntwo", "one", "1", "\uFEFF1\ntwo"],
		["any script", "größe 🎉 日本語", "🎉", "🎊", "größe 🎊 日本語"],
		["a missing line end at the end", "a\nb", "b", "c", "a\nc"],
	])("keeps %s", async (_, before, oldString, newString, after) => {
		expect((await edit(before, { old_string: oldString, new_string: newString })).content).toBe(after);
	});

	it("changes nothing but what it replaces, whatever the line ends are", () => {
		const pieces = fc.array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", "🎉"), { maxLength: 30 });
		fc.assert(
			fc.property(pieces, pieces, (before, after) => {
				const [start, end] = [before.join(""), after.join("")];
				// A lone CR before the match and an LF after it would become one line end.
				const replaced = replaceText(`${start}|OLD|${end}`, [
					{ oldString: "OLD", newString: "NEW", replaceAll: false },
				]);
				expect(replaced).toMatchObject({ ok: true, text: `${start}|NEW|${end}` });
			}),
		);
	});

	it("names the lines when the text occurs more than once", async () => {
		const { text, isError, content } = await edit("a\nb\na\n", { old_string: "a", new_string: "x" });
		expect(text).toBe(
			"file was not changed. old_string occurs 2 times, in lines 1, 3. " +
				"Give more of the text around the one that you mean, or set replace_all.",
		);
		expect([isError, content]).toEqual([true, "a\nb\na\n"]);
	});

	it.each([
		["another indent", "function f() {\n\treturn 1;\n}\n", "  return 1;\n}", "2\t\treturn 1;\n3\t}"],
		["a slip in a word", "const total = sum(items);\nx\n", "const totl = sum(items);", "1\tconst total = sum(items);"],
	])("shows the nearest lines for %s", async (_, content, oldString, shown) => {
		const { text } = await edit(content, { old_string: oldString, new_string: "" });
		expect(text).toContain(`old_string was not found. It must fit to the last space. The nearest lines are:\n${shown}`);
	});

	it.each([
		["nothing like it", "abc\n", "Nothing in the file looks like it"],
		["an empty file", "", "The file is empty. Use write_file"],
	])("says so for %s", async (_, content, problem) => {
		expect((await edit(content, { old_string: "quite different", new_string: "" })).text).toContain(problem);
	});

	it("does not take long to say what is not found in a large file", async () => {
		const content = "const value = compute(input, options);\n".repeat(250_000);
		const { text } = await edit(content, { old_string: "const valve = compute(inputs);", new_string: "" });
		expect(text).toContain("1\tconst value");
	});

	it.each([
		["a binary file", Buffer.from([65, 0, 66])],
		["a file in another encoding", Buffer.from([65, 0xe4, 66])],
	])("refuses %s", async (_, content) => {
		const { text, isError } = await edit(content, { old_string: "A", new_string: "B" });
		expect([text, isError]).toEqual(["file is a binary file or not in UTF-8, so it cannot be edited as text.", true]);
	});

	it("says about a missing file that write_file creates one, and about a folder that it is one", async () => {
		const root = temporaryFolder({ "folder/x": "" });
		const input = { old_string: "a", new_string: "b" };
		expect((await execute(editFile, root, { path: "new", ...input })).text).toContain("Use write_file");
		expect((await execute(editFile, root, { path: "folder", ...input })).text).toContain("is a folder");
	});

	it.each([
		[{ path: "a" }, "give either"],
		[{ path: "a", old_string: "x" }, "give either"],
		[{ path: "a", old_string: "x", new_string: "y", edits: [{ old_string: "x", new_string: "y" }] }, "give either"],
		[{ path: "a", old_string: "", new_string: "y" }, "old_string: Too small"],
		[{ path: "a", edits: [] }, "edits: Too small"],
	])("cannot use %j", (input, problem) => {
		expect(editFile.prepare(input)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
	});

	it("lets one of two equal edits at once win, and tells the other", async () => {
		const root = temporaryFolder({ file: "one\n" });
		const input = { path: "file", old_string: "one", new_string: "two" };
		const results = await Promise.all([execute(editFile, root, input), execute(editFile, root, input)]);
		expect(results.filter(({ isError }) => isError)).toEqual([
			{ text: expect.stringContaining("old_string was not found"), isError: true },
		]);
		expect(readFileSync(join(root, "file"), "utf8")).toBe("two\n");
	});

	it("makes many different edits of one file at once", async () => {
		const root = temporaryFolder({ file: Array.from({ length: 20 }, (_, n) => `<${n}>`).join("\n") });
		const services = aRunsServices();
		const inputs = Array.from({ length: 20 }, (_, n) => ({ path: "file", old_string: `<${n}>`, new_string: `[${n}]` }));
		const results = await Promise.all(inputs.map((input) => execute(editFile, root, input, signal, services)));
		expect(results.filter(({ isError }) => isError)).toEqual([]);
		expect(readFileSync(join(root, "file"), "utf8")).toBe(Array.from({ length: 20 }, (_, n) => `[${n}]`).join("\n"));
	});

	it("refuses a file that was changed since the run read it", async () => {
		const root = temporaryFolder({ file: "one" });
		const services = aRunsServices();
		await execute(readFile, root, { path: "file" }, signal, services);
		writeFileSync(join(root, "file"), "one and more");
		const input = { path: "file", old_string: "one", new_string: "two" };
		expect((await execute(editFile, root, input, signal, services)).text).toContain("Read it again");
	});
});

describe("a file with unsaved changes in the editor", () => {
	it("is read and edited as it is there, and left unsaved", async () => {
		const root = temporaryFolder({ file: "saved" });
		const editor = anEditor("typed\r\ntext");
		const services = aRunsServices({ editor });
		expect((await execute(readFile, root, { path: "file" }, signal, services)).text).toBe("1\ttyped\n2\ttext");
		const input = { path: "file", old_string: "typed\ntext", new_string: "edited\ntext" };
		expect(await execute(editFile, root, input, signal, services)).toEqual({
			text: "Edited file: one replacement, in line 1. It is unsaved, in the open editor.",
			isError: false,
		});
		expect(editor.text).toBe("edited\r\ntext");
		expect(readFileSync(join(root, "file"), "utf8")).toBe("saved");
	});

	it("stays as it is when the editor refuses", async () => {
		const root = temporaryFolder({ file: "saved" });
		const services = aRunsServices({ editor: { ...anEditor("typed"), applyEdit: async () => false } });
		const input = { path: "file", old_string: "typed", new_string: "x" };
		expect((await execute(editFile, root, input, signal, services)).text).toContain("Nothing was changed");
	});
});

function anEditor(text: string): EditorPort & { text: string } {
	const editor = {
		text,
		dirtyText: () => editor.text,
		applyEdit: async (_path: string, newText: string) => {
			editor.text = newText;
			return true;
		},
	};
	return editor;
}
