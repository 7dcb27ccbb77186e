// Builds dist/: the extension, the store's worker, the command line (one set of chunks, loaded when first needed), and
// the ops panel's page. `--watch` rebuilds on change, `--production` minifies and leaves the sourcemaps out.
import * as esbuild from "esbuild";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { iconNames } from "./webview/iconNames.ts";

const isWatching = process.argv.includes("--watch");
const isProduction = process.argv.includes("--production");

/** gray-matter brings js-yaml 3 for its default engine, which we never use: agent files are parsed by js-yaml 5. */
const withoutOldYaml = {
	name: "without-old-yaml",
	setup(build) {
		build.onResolve({ filter: /^js-yaml$/ }, ({ importer }) =>
			importer.includes("gray-matter") ? { path: "none", namespace: "old-yaml" } : undefined,
		);
		build.onLoad({ filter: /.*/, namespace: "old-yaml" }, () => ({
			contents: `const refuse = () => { throw new Error("gray-matter's own YAML engine is not used here"); };
				module.exports = { safeLoad: refuse, safeDump: refuse };`,
		}));
	},
};

const shared = {
	bundle: true,
	minify: isProduction,
	sourcemap: isProduction ? false : "linked",
	metafile: true,
	logLevel: "warning",
};

/** Makes the extension, the worker and the command line. The benches build the worker the same. */
export const host = {
	...shared,
	entryPoints: {
		extension: "src/extension.ts",
		databaseWorker: "src/core/store/databaseWorker.ts",
		cli: "src/cli/main.ts",
	},
	outdir: "dist",
	chunkNames: "chunks/[name]-[hash]",
	format: "esm",
	splitting: true,
	platform: "node",
	target: "node22",
	external: ["vscode"],
	// Its CommonJS form, which Node would get, has no named exports when it is imported dynamically from a bundle.
	alias: { yaml: "./node_modules/yaml/browser/index.js" },
	// CommonJS packages inside an ES module still call require() for Node's own modules.
	banner: {
		js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
	},
	plugins: [withoutOldYaml],
};

/** The panel's icons as one file: every name in `iconNames`, drawn by codicons. */
const iconSprite = {
	name: "icon-sprite",
	setup(build) {
		build.onResolve({ filter: /^icons\.svg$/ }, () => ({ path: "icons.svg", namespace: "sprite" }));
		build.onLoad({ filter: /.*/, namespace: "sprite" }, () => {
			const symbols = iconNames.map((name) => {
				const drawing = readFileSync(`node_modules/@vscode/codicons/src/icons/${name}.svg`, "utf8");
				const shapes = drawing.replace(/^[^]*?<svg[^>]*>|<\/svg>\s*$/g, "");
				return `<symbol id="icon-${name}" viewBox="0 0 16 16">${shapes}</symbol>`;
			});
			const contents = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
			return { contents, loader: "copy" };
		});
	},
};

/** Makes `panel.js`, `panel.css` and `icons.svg`. The page tests build the same. */
export const panel = {
	...shared,
	entryPoints: [
		{ in: "webview/main.tsx", out: "panel" },
		{ in: "webview/panel.css", out: "panel" },
		{ in: "icons.svg", out: "icons" },
	],
	outdir: "dist/webview",
	format: "iife",
	platform: "browser",
	target: "chrome130",
	jsx: "automatic",
	jsxImportSource: "preact",
	plugins: [iconSprite],
};

async function buildAll() {
	rmSync("dist", { recursive: true, force: true });
	if (isWatching) {
		const contexts = await Promise.all([esbuild.context(host), esbuild.context(panel)]);
		await Promise.all(contexts.map((context) => context.watch()));
		console.log("Watching src/ and webview/. Ctrl-C ends.");
	} else {
		const [{ metafile: hostMeta }, { metafile: panelMeta }] = await Promise.all([
			esbuild.build(host),
			esbuild.build(panel),
		]);
		writeFileSync(
			"dist/meta.json",
			JSON.stringify({
				inputs: { ...hostMeta.inputs, ...panelMeta.inputs },
				outputs: { ...hostMeta.outputs, ...panelMeta.outputs },
			}),
		);
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
