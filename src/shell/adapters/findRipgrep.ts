import { accessSync, constants } from "node:fs";
import path from "node:path";

/** VS Code's own ripgrep, wherever this version keeps it, else the one on the PATH. */
export function findRipgrep(appRoot: string): string | undefined {
	const name = process.platform === "win32" ? "rg.exe" : "rg";
	const places = ["node_modules", "node_modules.asar.unpacked"].flatMap((modules) => [
		path.join(appRoot, modules, "@vscode", "ripgrep-universal", "bin", `${process.platform}-${process.arch}`),
		path.join(appRoot, modules, "@vscode", "ripgrep", "bin"),
	]);
	const searched = [
		...places,
		...(process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder)),
	];
	return searched.map((folder) => path.join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		// Not there, or not ours to run: the next place may do.
		return false;
	}
}
