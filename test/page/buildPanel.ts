import * as esbuild from "esbuild";
import { basename } from "node:path";

const root = new URL("../..", import.meta.url);

/** The panel's files as they are shipped, by name, built into memory. */
export async function buildPanel(): Promise<ReadonlyMap<string, string>> {
	const { panel }: { panel: esbuild.BuildOptions } = await import(new URL("esbuild.mjs", root).href);
	const { outputFiles } = await esbuild.build({
		...panel,
		absWorkingDir: root.pathname,
		minify: true,
		sourcemap: false,
		write: false,
	});
	return new Map(outputFiles.map((file) => [basename(file.path), file.text]));
}
