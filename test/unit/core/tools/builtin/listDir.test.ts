import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listDir } from "../../../../../src/core/tools/builtin/listDir.ts";
import { temporaryFolder, withFiles, withLinks } from "../../../../fakes/temporaryFolder.ts";
import { execute } from "../execute.ts";

describe("list_dir", () => {
	it("lists folders first, then files with their size and links with their target, sorted", async () => {
		const files = { "b.ts": "12345", "a.ts": "", "src/x.ts": "", "docs/y.md": "", ".env": "A=1" };
		const root = withLinks(withFiles(temporaryFolder(), files), { "c-link": "src", dangling: "/nowhere" });
		execFileSync("mkfifo", [join(root, "pipe")]);
		expect(await execute(listDir, root, {})).toEqual({
			text: [
				"docs/",
				"src/",
				".env (3 bytes)",
				"a.ts (0 bytes)",
				"b.ts (5 bytes)",
				"c-link -> src",
				"dangling -> /nowhere",
				"pipe (not a regular file)",
			].join("\n"),
			isError: false,
		});
	});

	it("shows 1,000 entries and says how many more there are", async () => {
		const names = Array.from({ length: 1_003 }, (_, index) => [`f${String(index).padStart(4, "0")}`, ""]);
		const root = withFiles(temporaryFolder(), Object.fromEntries(names));
		const { text } = await execute(listDir, root, {});
		expect(text.split("\n").filter((line) => line.startsWith("f"))).toHaveLength(1_000);
		expect(text).toContain("f0999 (0 bytes)\n\n[3 more not shown.");
	});

	it("says that a folder is empty", async () => {
		const root = temporaryFolder();
		mkdirSync(join(root, "sub"));
		expect((await execute(listDir, root, { path: "sub" })).text).toBe("sub is an empty folder.");
	});

	it("does not let a line break in a name pass for two entries", async () => {
		const root = withFiles(temporaryFolder(), { "a\nb": "" });
		expect((await execute(listDir, root, {})).text).toBe("a\uFFFDb (0 bytes)");
	});

	it.each([
		["missing", "missing does not exist."],
		["a.ts", "a.ts is not a folder, or lies below a file. Use read_file"],
	])("says about %s what to do instead", async (path, text) => {
		const root = withFiles(temporaryFolder(), { "a.ts": "" });
		expect(await execute(listDir, root, { path })).toEqual({ text: expect.stringContaining(text), isError: true });
	});
});
