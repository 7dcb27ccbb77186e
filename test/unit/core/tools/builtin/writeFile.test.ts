import {
	chmodSync,
	existsSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	symlinkSync,
	truncateSync,
} from "node:fs";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashBytes } from "../../../../../src/core/base/hashBytes.ts";
import type { ChangeRecorder } from "../../../../../src/core/ports/changeRecorder.ts";
import { plainFileAccess } from "../../../../../src/core/tools/plainFileAccess.ts";
import { readFile } from "../../../../../src/core/tools/builtin/readFile.ts";
import { writeFile } from "../../../../../src/core/tools/builtin/writeFile.ts";
import { temporaryFolder } from "../../../../fakes/temporaryFolder.ts";
import { aRunsServices, execute } from "../execute.ts";

const { signal } = new AbortController();

describe("write_file", () => {
	it("creates a file with the folders that it needs, and leaves nothing else", async () => {
		const root = temporaryFolder();
		expect(await execute(writeFile, root, { path: "a/b/ü 🎉.txt", content: "grüße\n" })).toEqual({
			text: "Created a/b/ü 🎉.txt: 8 bytes.",
			isError: false,
		});
		expect(readFileSync(join(root, "a/b/ü 🎉.txt"), "utf8")).toBe("grüße\n");
		expect(readdirSync(join(root, "a/b"))).toEqual(["ü 🎉.txt"]);
	});

	it("replaces a file and keeps its mode", async () => {
		const root = temporaryFolder({ run: "old" });
		chmodSync(join(root, "run"), 0o751);
		expect((await execute(writeFile, root, { path: "run", content: "" })).text).toBe("Replaced run: 0 bytes.");
		expect(readFileSync(join(root, "run"), "utf8")).toBe("");
		expect(statSync(join(root, "run")).mode & 0o777).toBe(0o751);
		expect(readdirSync(root)).toEqual(["run"]);
	});

	it("says when the content is there already, and writes nothing", async () => {
		const root = temporaryFolder({ a: "same" });
		const { recorder, said } = recording();
		const services = aRunsServices({ changes: recorder });
		expect((await execute(writeFile, root, { path: "a", content: "same" }, signal, services)).text).toContain(
			"already",
		);
		expect(said).toEqual([]);
	});

	it.each([
		["a folder", "folder", "folder is a folder"],
		["a path below a file", "file/x", "file/x is not a folder, or lies below a file"],
	])("refuses %s", async (_, path, problem) => {
		const root = temporaryFolder({ file: "x", "folder/x": "" });
		const result = await execute(writeFile, root, { path, content: "y" });
		expect(result).toEqual({ text: expect.stringContaining(problem), isError: true });
		expect(readFileSync(join(root, "file"), "utf8")).toBe("x");
	});

	it("refuses a file that is read-only", async ({ skip }) => {
		if (process.getuid?.() === 0) skip("root may write everything");
		const root = temporaryFolder({ a: "old" });
		chmodSync(join(root, "a"), 0o444);
		expect((await execute(writeFile, root, { path: "a", content: "new" })).text).toContain("read-only");
		expect(readdirSync(root)).toEqual(["a"]);
	});

	it("refuses more than 10 MB, in the file or for it", async () => {
		const root = temporaryFolder({ large: "" });
		truncateSync(join(root, "large"), 10 * 1024 * 1024 + 1);
		expect((await execute(writeFile, root, { path: "large", content: "x" })).text).toContain("over 10 MB");
		const content = "x".repeat(10 * 1024 * 1024 + 1);
		expect((await execute(writeFile, root, { path: "new", content })).text).toContain("over 10 MB");
		expect(existsSync(join(root, "new"))).toBe(false);
	});

	it("refuses a file with unsaved changes in the editor", async () => {
		const root = temporaryFolder({ a: "old" });
		const editor = { dirtyText: () => "typed", applyEdit: async () => true };
		const services = aRunsServices({ editor });
		const { text, isError } = await execute(writeFile, root, { path: "a", content: "new" }, signal, services);
		expect([text, isError]).toEqual([expect.stringContaining("Use edit_file"), true]);
		expect(readFileSync(join(root, "a"), "utf8")).toBe("old");
	});

	it("refuses a file that somebody changed or removed since the run read it", async () => {
		const root = temporaryFolder({ a: "one", b: "one" });
		const services = aRunsServices();
		await execute(readFile, root, { path: "a" }, signal, services);
		await execute(readFile, root, { path: "b" }, signal, services);
		writeFileSync(join(root, "a"), "someone else's");
		renameSync(join(root, "b"), join(root, "c"));
		for (const path of ["a", "b"]) {
			const { text, isError } = await execute(writeFile, root, { path, content: "mine" }, signal, services);
			expect([text, isError]).toEqual([expect.stringContaining("Read it again"), true]);
		}
		await execute(readFile, root, { path: "a" }, signal, services);
		expect((await execute(writeFile, root, { path: "a", content: "two" }, signal, services)).isError).toBe(false);
		expect((await execute(writeFile, root, { path: "a", content: "three" }, signal, services)).isError).toBe(false);
	});

	it("does not follow a link that took the place of a folder or of the file after the check", async () => {
		const outside = temporaryFolder({ secret: "outside" });
		const root = temporaryFolder({ "folder/secret": "inside" });
		renameSync(join(root, "folder"), join(root, "moved"));
		symlinkSync(outside, join(root, "folder"));
		expect((await execute(writeFile, root, { path: "folder/secret", content: "x" })).isError).toBe(true);
		expect((await execute(writeFile, root, { path: "folder/new", content: "x" })).isError).toBe(true);
		symlinkSync(join(outside, "secret"), join(root, "link"));
		expect((await execute(writeFile, root, { path: "link", content: "x" })).text).toContain("has become a link");
		expect(readFileSync(join(outside, "secret"), "utf8")).toBe("outside");
		expect(readdirSync(outside)).toEqual(["secret"]);
	});

	it("records what it is about to do before it does it, and that it did", async () => {
		const root = temporaryFolder({ a: "old" });
		const { recorder, said } = recording(() => readFileSync(join(root, "a"), "utf8"));
		const services = aRunsServices({ changes: recorder });
		await execute(writeFile, root, { path: "a", content: "new" }, signal, services);
		const path = join(root, "a");
		const callId = "call_1";
		const planned = { callId, path, preImage: Buffer.from("old"), baseHash: sha("old"), intendedHash: sha("new") };
		expect(said).toEqual([
			["planned", planned, "old"],
			["done", { callId, path, outcome: "written" }, "new"],
		]);
	});

	it("writes nothing when the change cannot be recorded, and says so when the write fails", async () => {
		const root = temporaryFolder({ a: "old" });
		const { recorder, said } = recording();
		const deaf = { ...recorder, planned: () => Promise.reject(new Error("store is full")) };
		const changes = aRunsServices({ changes: deaf });
		await expect(execute(writeFile, root, { path: "a", content: "new" }, signal, changes)).rejects.toThrow("full");
		const files = { ...plainFileAccess, writeFile: () => Promise.reject(new Error("no space")) };
		const failing = aRunsServices({ changes: recorder, files });
		const { text } = await execute(writeFile, root, { path: "a", content: "new" }, signal, failing);
		expect(text).toContain("no space. Nothing was changed.");
		expect(said.at(-1)).toMatchObject(["done", { outcome: "notWritten" }, undefined]);
		expect(readFileSync(join(root, "a"), "utf8")).toBe("old");
	});
});

describe("plainFileAccess", () => {
	it("writes only over the content that is expected", async () => {
		const root = temporaryFolder({ a: "changed" });
		const path = join(root, "a");
		const bytes = Buffer.from("new");
		const changed = { name: "FileChangedError" };
		await expect(plainFileAccess.writeFile(path, bytes, { expectedHash: sha("old") })).rejects.toMatchObject(changed);
		await expect(plainFileAccess.writeFile(path, bytes, { expectedHash: null })).rejects.toMatchObject(changed);
		const gone = plainFileAccess.writeFile(join(root, "b"), bytes, { expectedHash: sha("old") });
		await expect(gone).rejects.toMatchObject(changed);
		expect(readFileSync(path, "utf8")).toBe("changed");
		expect(readdirSync(root)).toEqual(["a"]);
	});
});

function sha(text: string): string {
	return hashBytes(Buffer.from(text));
}

function recording(look: () => unknown = () => undefined): { recorder: ChangeRecorder; said: unknown[] } {
	const said: unknown[] = [];
	const recorder: ChangeRecorder = {
		planned: async (change) => void said.push(["planned", change, look()]),
		done: async (change) => void said.push(["done", change, look()]),
	};
	return { recorder, said };
}
