import * as esbuild from "esbuild";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { cacheDir, projectRoot } from "../vscode/paths.ts";

/** The store's worker as it is shipped, but beside `dist`, which others may be using. */
export async function buildWorker(): Promise<URL> {
	const { host }: { host: esbuild.BuildOptions } = await import(
		pathToFileURL(path.join(projectRoot, "esbuild.mjs")).href
	);
	const outdir = path.join(cacheDir, "bench/worker");
	const entryPoints = { databaseWorker: "src/core/store/databaseWorker.ts" };
	await esbuild.build({ ...host, entryPoints, outdir, absWorkingDir: projectRoot, minify: true, sourcemap: false });
	return pathToFileURL(path.join(outdir, "databaseWorker.js"));
}
