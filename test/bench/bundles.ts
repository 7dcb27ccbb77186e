import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { projectRoot } from "../vscode/paths.ts";

interface Output {
	readonly bytes: number;
	readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

/** What is parsed at activation, what comes later, and the panel's page. In KB, minified. */
export function measureBundles(): Record<string, { KB: number; "gzip KB": number }> {
	const meta = JSON.parse(fs.readFileSync(path.join(projectRoot, "dist/meta.json"), "utf8")) as {
		outputs: Record<string, Output>;
	};
	const atActivation = staticClosure(meta.outputs, "dist/extension.js");
	const host = Object.keys(meta.outputs).filter((file) => file.endsWith(".js") && !file.startsWith("dist/webview/"));
	return {
		"parsed at activation": size([...atActivation]),
		"loaded when needed": size(host.filter((file) => !atActivation.has(file))),
		"panel page": size(["dist/webview/panel.js"]),
		"panel styles": size(["dist/webview/panel.css"]),
	};
}

function staticClosure(outputs: Record<string, Output>, entry: string): Set<string> {
	const seen = new Set<string>();
	const visit = (file: string) => {
		if (seen.has(file)) return;
		seen.add(file);
		for (const { path: imported, kind, external } of outputs[file]?.imports ?? []) {
			if (kind === "import-statement" && external !== true) visit(imported);
		}
	};
	visit(entry);
	return seen;
}

function size(files: readonly string[]): { KB: number; "gzip KB": number } {
	const bytes = Buffer.concat(files.map((file) => fs.readFileSync(path.join(projectRoot, file))));
	return { KB: toKilobytes(bytes.length), "gzip KB": toKilobytes(gzipSync(bytes).length) };
}

function toKilobytes(bytes: number): number {
	return Math.round(bytes / 102.4) / 10;
}
