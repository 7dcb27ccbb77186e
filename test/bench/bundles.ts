import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Figure } from "./figures.ts";
import { projectRoot } from "../vscode/paths.ts";

interface Output {
	readonly bytes: number;
	readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

/** What is parsed at activation, what comes later, and the panel's page. */
export async function measureBundles(): Promise<Figure[]> {
	buildProduct();
	const meta = JSON.parse(fs.readFileSync(path.join(projectRoot, "dist/meta.json"), "utf8")) as {
		outputs: Record<string, Output>;
	};
	const atActivation = staticClosure(meta.outputs, "dist/extension.js");
	const host = Object.keys(meta.outputs).filter((file) => file.endsWith(".js") && !file.startsWith("dist/webview/"));
	return [
		...size("parsed at activation", [...atActivation]),
		...size(
			"loaded when needed",
			host.filter((file) => !atActivation.has(file)),
		),
		...size("panel page", ["dist/webview/panel.js"]),
		...size("panel styles", ["dist/webview/panel.css"]),
	];
}

/** `dist`, as it is shipped. */
export function buildProduct(): void {
	execFileSync(process.execPath, ["esbuild.mjs", "--production"], { cwd: projectRoot, stdio: "inherit" });
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

function size(contestant: string, files: readonly string[]): Figure[] {
	const bytes = Buffer.concat(files.map((file) => fs.readFileSync(path.join(projectRoot, file))));
	const figure = (measure: string, length: number): Figure => {
		return { measure, contestant, role: "muster", unit: "KB", samples: [length / 1024] };
	};
	return [figure("size", bytes.length), figure("size, gzip", gzipSync(bytes).length)];
}
