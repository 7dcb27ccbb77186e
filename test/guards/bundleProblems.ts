import type { Metafile } from "esbuild";

/** Bytes of JavaScript that VS Code may have to read before Muster is there. */
const activationLimit = 150_000;

const heavyModules: readonly string[] = ["sqlite", "worker_threads"];

/**
 * What an entry point loads too early. Packages, models, SQLite and threads are for the first run, not for every start of
 * VS Code, so nothing of them may be reached without a dynamic import.
 */
export function activationProblems(meta: Metafile, entry: string): string[] {
	const { files, modules } = reach(meta, entry, { isLater: false });
	const inputs = files.flatMap((file) => Object.keys(meta.outputs[file]?.inputs ?? {}));
	const bytes = files.reduce((sum, file) => sum + (meta.outputs[file]?.bytes ?? 0), 0);
	return [
		...inputs
			.filter((input) => /(?:^|\/)node_modules\/|^src\/core\/models\//.test(input))
			.map((input) => `${entry} loads ${input}.`),
		...heavyModules.filter((name) => modules.has(name)).map((name) => `${entry} loads ${name}.`),
		...(bytes > activationLimit ? [`${entry} loads ${bytes} bytes; ${activationLimit} are allowed.`] : []),
	];
}

/** Whether an entry point could come to need a module that is not in the bundle, now or later. */
export function canReachModule(meta: Metafile, entry: string, module: string): boolean {
	return reach(meta, entry, { isLater: true }).modules.has(module);
}

/** What comes with a built file without anybody asking for more. */
export function filesAtOnce(meta: Metafile, entry: string): string[] {
	return reach(meta, entry, { isLater: false }).files;
}

/** The built files, the entry included, and the outside modules that come with it; with `isLater`, dynamic imports too. */
function reach(meta: Metafile, entry: string, { isLater }: { isLater: boolean }) {
	const files = [entry];
	const modules = new Set<string>();
	for (const file of files) {
		const output = meta.outputs[file];
		if (!output) throw new Error(`The build has no ${file}.`);
		for (const { path, kind, external } of output.imports) {
			if (kind === "dynamic-import" && !isLater) continue;
			if (external) modules.add(path.replace(/^node:/, ""));
			else if (!files.includes(path)) files.push(path);
		}
	}
	return { files, modules };
}
