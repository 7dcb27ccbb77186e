import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, it } from "vitest";
import { createGlob } from "../../../../../src/core/tools/builtin/glob.ts";
import { temporaryFolder, withLinks } from "../../../../fakes/temporaryFolder.ts";
import { execute } from "../execute.ts";

const glob = createGlob(rgPath);

describe("glob", () => {
	it("lists the files that fit, sorted, from the workspace folder", async () => {
		const root = temporaryFolder({ "src/b.ts": "", "src/a.ts": "", "a.md": "", ".hidden/c.ts": "", "test/a.ts": "" });
		const find = async (pattern: string, path?: string) =>
			(await execute(glob, root, { pattern, ...(path !== undefined && { path }) })).text.split("\n");
		expect(await find("*.ts")).toEqual([".hidden/c.ts", "src/a.ts", "src/b.ts", "test/a.ts"]);
		expect(await find("src/**/*.ts")).toEqual(["src/a.ts", "src/b.ts"]);
		expect(await find("*.ts", "test")).toEqual(["test/a.ts"]);
		expect(await find("*.{md,txt}")).toEqual(["a.md"]);
	});

	it("leaves out ignored folders, the inside of .git and what links lead to", async () => {
		const outside = temporaryFolder({ "x.ts": "" });
		const root = temporaryFolder({ ".git/x.ts": "", ".gitignore": "out/\n", "out/x.ts": "", "x.ts": "" });
		withLinks(root, { linked: outside });
		expect((await execute(glob, root, { pattern: "*.ts" })).text).toBe("x.ts");
	});

	it("shows a name with a line break as one", async () => {
		const root = temporaryFolder({ "a\nb.ts": "" });
		expect((await execute(glob, root, { pattern: "*.ts" })).text).toBe("a\uFFFDb.ts");
	});

	it("shows the first 1,000 and says how many there are more", async () => {
		const names = Array.from({ length: 1_200 }, (_, n) => [`${String(n).padStart(4, "0")}.ts`, ""]);
		const root = temporaryFolder(Object.fromEntries(names) as Record<string, string>);
		const { text } = await execute(glob, root, { pattern: "*.ts" });
		expect(text).toMatch(/^0000\.ts\n0001\.ts\n/u);
		expect(text).toContain("0999.ts\n\n[200 more not shown. Narrow the pattern or the path.]");
	});

	it("says when there is none, when the pattern is wrong, and when it cannot look there", async () => {
		const root = temporaryFolder({ a: "" });
		execFileSync("mkfifo", [join(root, "pipe")]);
		expect(await execute(glob, root, { pattern: "*.rs" })).toEqual({
			text: "No files found. Those that .gitignore names were left out.",
			isError: false,
		});
		expect(await execute(glob, root, { pattern: "{a" })).toMatchObject({ isError: true });
		expect((await execute(glob, root, { pattern: "*", path: "missing" })).text).toContain("missing does not exist");
		expect((await execute(glob, root, { pattern: "*", path: "pipe" })).text).toContain("neither a file nor a folder");
		expect((await execute(createGlob(undefined), root, { pattern: "*" })).text).toContain("Use list_dir instead");
	});
});
