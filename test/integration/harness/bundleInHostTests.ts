import * as esbuild from "esbuild";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cacheDir } from "../../vscode/paths.ts";

const runner = fileURLToPath(new URL("hostRunner.ts", import.meta.url));

export interface InHostBundle {
	/** The file whose `run()` VS Code calls. */
	readonly file: string;
	/** The names of the tests, by module. */
	readonly names: ReadonlyMap<string, readonly string[]>;
}

/** Bundles the modules of a folder with the runner, and tells which tests they hold without running any. */
export async function bundleInHostTests(folder: string): Promise<InHostBundle> {
	const modules = fs.readdirSync(folder).filter((name) => name.endsWith(".ts"));
	const imports = modules.map((name, index) => `import { tests as m${index} } from "./${name}";`).join("\n");
	const table = `{ ${modules.map((name, index) => `"${path.basename(name, ".ts")}": m${index}`).join(", ")} }`;
	const outdir = path.join(cacheDir, "inhost", path.basename(folder));

	// .cjs, because a .js file would be taken for an ES module here
	const file = path.join(outdir, "tests.cjs");
	await esbuild.build({
		...options(
			folder,
			`${imports}\nimport { runTests } from "${runner}";\nexport const run = () => runTests(${table});`,
		),
		outfile: file,
		format: "cjs",
		external: ["vscode"],
	});

	const list = path.join(outdir, `names-${process.pid}.mjs`);
	await esbuild.build({
		...options(folder, `${imports}\nexport const tests = ${table};`),
		outfile: list,
		format: "esm",
		plugins: [withoutVscode],
	});
	const { tests } = await import(pathToFileURL(list).href);
	fs.rmSync(list);
	const names = Object.entries<object>(tests).map(([module, its]) => [module, Object.keys(its)] as const);
	return { file, names: new Map(names) };
}

function options(folder: string, contents: string) {
	return {
		stdin: { contents, resolveDir: folder, loader: "ts" },
		bundle: true,
		platform: "node",
		target: "node22",
		sourcemap: "inline",
	} as const satisfies esbuild.BuildOptions;
}

/** Outside the extension host there is no `vscode`; the tests' names do not need it. */
const withoutVscode: esbuild.Plugin = {
	name: "without-vscode",
	setup(build) {
		build.onResolve({ filter: /^vscode$/ }, ({ path: name }) => ({ path: name, namespace: "absent" }));
		build.onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "module.exports = {};" }));
	},
};
