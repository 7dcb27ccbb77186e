/** What the production build loads when, and how much of it there is. The limits are in the performance targets. */
import * as esbuild from "esbuild";
import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { vendors } from "../../src/core/models/vendors.ts";
import { projectRoot } from "../vscode/paths.ts";
import { buildFresh } from "./buildFresh.ts";
import { activationProblems, canReachModule, filesAtOnce } from "./bundleProblems.ts";
import { scratchFolder } from "./scratchFolder.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = scratchFolder();
let meta: esbuild.Metafile;

beforeAll(async () => {
	await buildFresh(folder);
	meta = JSON.parse(readFileSync(path.join(folder, "dist/meta.json"), "utf8")) as esbuild.Metafile;
});

describe("activation", () => {
	it("loads no package, model, SQLite or thread, and little code", () => {
		expect(activationProblems(meta, "dist/extension.js")).toEqual([]);
	});

	it("loads a vendor's package with the first request to it, from a chunk that no other code waits for", () => {
		const imports = Object.entries(meta.outputs).flatMap(([from, output]) =>
			output.imports.filter(({ path: to }) => holdsPackage(to) && !holdsPackage(from)),
		);
		expect(new Set(imports.map(({ kind }) => kind))).toEqual(new Set(["dynamic-import"]));
	});

	it.each(Object.keys(vendors))("has the package of %s in a chunk of its own, without another vendor's", (wire) => {
		const entries = new Map(
			Object.entries(meta.outputs).flatMap(([file, { entryPoint = "" }]) => {
				const [, name] = /node_modules\/@ai-sdk\/([^/]+)\/dist\/index\.js$/.exec(entryPoint) ?? [];
				return name === undefined ? [] : [[name, file] as const];
			}),
		);
		expect(entries.size).toBe(Object.keys(vendors).length);
		const [own] = [...entries].filter(([name]) => name.endsWith(wire));
		const loaded = filesAtOnce(meta, own?.[1] ?? "");
		const others = [...entries.values()].filter((file) => file !== own?.[1]);
		expect(loaded.filter((file) => others.includes(file))).toEqual([]);
		expect(holdsPackage(own?.[1] ?? "")).toBe(true);
	});

	it("is found out when it loads them at once", async () => {
		const imports =
			'import * as z from "zod"; import { DatabaseSync } from "node:sqlite"; import { Worker } from "worker_threads";';
		const problems = activationProblems(await buildText(`${imports} export { z, DatabaseSync, Worker };`), "out.js");
		expect(problems).toContain("out.js loads sqlite.");
		expect(problems).toContain("out.js loads worker_threads.");
		expect(problems).toContainEqual(expect.stringMatching(/^out\.js loads \S*node_modules\/zod\//));
	});

	it("is found out when there is too much of it, also by way of a chunk", () => {
		const output = { inputs: {}, exports: [], imports: [] };
		const toChunk = { path: "chunk.js", kind: "import-statement" as const };
		const outputs = {
			"entry.js": { ...output, bytes: 1, imports: [toChunk] },
			"chunk.js": { ...output, bytes: 150_000 },
		};
		expect(activationProblems({ inputs: {}, outputs }, "entry.js")).toEqual([
			"entry.js loads 150001 bytes; 150000 are allowed.",
		]);
	});

	it("may load them later", async () => {
		const built = await buildText('export const later = () => import("node:sqlite");');
		expect(activationProblems(built, "out.js")).toEqual([]);
	});
});

describe("the command line and the store's worker", () => {
	it("never need VS Code, not even later", () => {
		expect(canReachModule(meta, "dist/cli.js", "vscode")).toBe(false);
		expect(canReachModule(meta, "dist/databaseWorker.js", "vscode")).toBe(false);
		expect(canReachModule(meta, "dist/extension.js", "vscode")).toBe(true);
	});

	it("are found out when they need it later", async () => {
		const built = await buildText('export const later = () => import("vscode");');
		expect(canReachModule(built, "out.js", "vscode")).toBe(true);
	});
});

describe("the core", () => {
	const coreFiles = globSync("src/core/**/*.ts", { cwd: projectRoot }).filter((file) => !file.endsWith(".d.ts"));

	it("can be built, every file of it, where VS Code does not exist", async () => {
		expect(coreFiles.length).toBeGreaterThan(50);
		await expect(buildWithoutVscode(coreFiles)).resolves.toBeDefined();
	});

	it("cannot be built there once a file of it needs VS Code", async () => {
		writeFileSync(path.join(folder, "src/core/needsVscode.ts"), 'import "vscode";');
		await expect(buildWithoutVscode([...coreFiles, "src/core/needsVscode.ts"])).rejects.toThrow(
			'src/core/needsVscode.ts:1:7: ERROR: Could not resolve "vscode"',
		);
	});
});

describe("the panel's page", () => {
	it("is at most 150 KB, 50 KB of it on the way", () => {
		const webview = path.join(folder, "dist/webview");
		const files = readdirSync(webview).map((file) => readFileSync(path.join(webview, file)));
		expect(sum(files.map((file) => file.length))).toBeLessThanOrEqual(150_000);
		expect(sum(files.map((file) => gzipSync(file).length))).toBeLessThanOrEqual(50_000);
		expect(readdirSync(webview)).toContain("panel.js");
	});
});

function holdsPackage(file: string): boolean {
	return Object.keys(meta.outputs[file]?.inputs ?? {}).some((input) => input.includes("node_modules/@ai-sdk/"));
}

async function buildText(contents: string): Promise<esbuild.Metafile> {
	const { metafile } = await esbuild.build({
		stdin: { contents, resolveDir: folder },
		outfile: "out.js",
		bundle: true,
		write: false,
		metafile: true,
		format: "esm",
		platform: "node",
		external: ["vscode"],
	});
	return metafile;
}

function buildWithoutVscode(files: readonly string[]): Promise<esbuild.BuildResult> {
	const contents = files.map((file) => `import "./${file}";`).join("\n");
	return esbuild.build({
		stdin: { contents, resolveDir: folder },
		absWorkingDir: folder,
		bundle: true,
		write: false,
		format: "esm",
		platform: "node",
		logLevel: "silent",
	});
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}
