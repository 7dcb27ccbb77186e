import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readFile } from "../../../../../src/core/tools/builtin/readFile.ts";
import { temporaryFolder, withFiles, withLinks } from "../../../../fakes/temporaryFolder.ts";
import { execute } from "../execute.ts";

const lines = (count: number, text: (n: number) => string) =>
	Array.from({ length: count }, (_, index) => `${text(index + 1)}\n`).join("");

describe("read_file", () => {
	it("gives each line with its number", async () => {
		const root = withFiles(temporaryFolder(), { "src/cart.ts": "one\n\n  three\n" });
		expect(await execute(readFile, root, { path: "src/cart.ts" })).toEqual({
			text: "1\tone\n2\t\n3\t  three",
			isError: false,
		});
	});

	it.each([
		["a last line without a line end", "one\ntwo", "1\tone\n2\ttwo"],
		["Windows line ends", "one\r\ntwo\r\n", "1\tone\n2\ttwo"],
		["a byte-order mark", "\uFEFFone\n", "1\tone"],
		["any script", "grüße 🎉\n日本語\n", "1\tgrüße 🎉\n2\t日本語"],
		["a carriage return inside a line", "one\rtwo\n", "1\tone\rtwo"],
	])("reads %s", async (_what, content, text) => {
		const root = withFiles(temporaryFolder(), { file: content });
		expect(await execute(readFile, root, { path: "file" })).toEqual({ text, isError: false });
	});

	it("keeps a character whole that lies across two reads of the disk", async () => {
		const root = withFiles(temporaryFolder(), { file: "é\n".repeat(30_000) });
		const lineAt64KiB = 21_846;
		const { text } = await execute(readFile, root, { path: "file", offset: lineAt64KiB - 1, limit: 3 });
		expect(text).toContain("21845\té\n21846\té\n21847\té");
	});

	it("says that a file is empty", async () => {
		const root = withFiles(temporaryFolder(), { file: "" });
		expect(await execute(readFile, root, { path: "file" })).toEqual({ text: "file is empty.", isError: false });
	});

	it("reads a part and says where to go on", async () => {
		const root = withFiles(temporaryFolder(), { file: lines(10, String) });
		expect((await execute(readFile, root, { path: "file", offset: 3, limit: 2 })).text).toBe(
			"3\t3\n4\t4\n\n[More lines follow. Go on with offset 5.]",
		);
		expect((await execute(readFile, root, { path: "file", offset: 9, limit: 2 })).text).toBe("9\t9\n10\t10");
	});

	it("says how long the file is when the offset is past its end", async () => {
		const root = withFiles(temporaryFolder(), { file: lines(10, String) });
		expect(await execute(readFile, root, { path: "file", offset: 11 })).toEqual({
			text: "file has only 10 lines. Use an offset up to 10.",
			isError: true,
		});
	});

	it("gives at most 2,000 lines, also when more are asked for", async () => {
		const root = withFiles(temporaryFolder(), { file: lines(2_001, String) });
		const { text } = await execute(readFile, root, { path: "file", limit: 5_000 });
		expect(text).toContain("\n2000\t2000\n\n[More lines follow. Go on with offset 2001.]");
	});

	it("gives at most 50 KB of a file of 10 MB, and every page joins the next without a gap", async () => {
		const root = withFiles(temporaryFolder(), { file: lines(100_000, (n) => `${n} ${"é".repeat(47)}`) });
		let next = 1;
		for (let page = 0; page < 5; page++) {
			const { text } = await execute(readFile, root, { path: "file", offset: next });
			expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
			expect(text.startsWith(`${next}\t${next} `)).toBe(true);
			next = Number(/offset (\d+)/.exec(text)?.[1]);
		}
		expect((await execute(readFile, root, { path: "file", offset: 99_999 })).text).toMatch(
			/^99999\t99999 é+\n100000\t/,
		);
	});

	it("cuts a line after 2,000 characters and leaves no half of a character", async () => {
		const root = withFiles(temporaryFolder(), {
			file: `${"x".repeat(2_000)}\r\n${"x".repeat(1_998)}🎉🎉\n${"y".repeat(3e6)}`,
		});
		const { text } = await execute(readFile, root, { path: "file" });
		expect(text.split("\n")).toEqual([
			`1\t${"x".repeat(2_000)}`,
			`2\t${"x".repeat(1_998)}…`,
			`3\t${"y".repeat(1_999)}…`,
		]);
	});

	it.each([
		["at the start", Buffer.from("\0PNG")],
		["late and far into a long line", Buffer.concat([Buffer.alloc(100_000, "a"), Buffer.from([0])])],
	])("refuses a binary file with its NUL %s", async (_where, content) => {
		const root = withFiles(temporaryFolder(), { "logo.png": content });
		expect(await execute(readFile, root, { path: "logo.png" })).toEqual({
			text: "logo.png is a binary file, so it cannot be read as text.",
			isError: true,
		});
	});

	it("refuses a pipe without waiting for a writer", async () => {
		const root = temporaryFolder();
		execFileSync("mkfifo", [join(root, "pipe")]);
		expect(await execute(readFile, root, { path: "pipe" })).toEqual({
			text: expect.stringContaining("pipe is not a regular file"),
			isError: true,
		});
	});

	it("refuses a socket and a device", async () => {
		const root = temporaryFolder();
		const server = createServer().listen(join(root, "socket"));
		onTestFinished(() => void server.close());
		await new Promise((resolve) => server.once("listening", resolve));
		expect((await execute(readFile, root, { path: "socket" })).text).toContain("socket is not a regular file");
		expect((await execute(readFile, "/dev", { path: "zero" })).text).toContain("zero is not a regular file");
	});

	it("refuses a file that became a link, or lies in a folder that became one, after the check", async () => {
		const outer = withFiles(temporaryFolder(), { "secret/key": "k" });
		const root = withLinks(withFiles(outer, { "ws/a": "" }), { "ws/link": "../secret", "ws/key": "../secret/key" });
		expect(await execute(readFile, join(root, "ws"), { path: "key" })).toEqual({
			text: "key is a link. Use the path that it leads to.",
			isError: true,
		});
		expect(await execute(readFile, join(root, "ws"), { path: "link/key" })).toEqual({
			text: "link/key changed while it was being opened. Try again.",
			isError: true,
		});
	});

	it.each([
		["missing.ts", "missing.ts does not exist. Use list_dir"],
		["src", "src is a folder. Use list_dir"],
		["src/a.ts/b", "src/a.ts/b is not a folder, or lies below a file."],
	])("says about %s what to do instead", async (path, text) => {
		const root = withFiles(temporaryFolder(), { "src/a.ts": "" });
		expect(await execute(readFile, root, { path })).toEqual({ text: expect.stringContaining(text), isError: true });
	});

	it("stops reading when it is aborted", async () => {
		const root = withFiles(temporaryFolder(), { file: "x" });
		await expect(execute(readFile, root, { path: "file" }, AbortSignal.abort(new Error("stop")))).rejects.toThrow(
			"stop",
		);
	});
});
