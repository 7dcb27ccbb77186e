import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const name = process.platform === "win32" ? "rg.exe" : "rg";

/** The one that was installed beside Muster, else the one on the PATH. */
export function findRipgrep(): string | undefined {
	const onPath = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
	return [...packaged(), ...onPath.map((folder) => path.join(folder, name))].find(isExecutable);
}

/** Where `@vscode/ripgrep` keeps this platform's program. */
function packaged(): string[] {
	try {
		const require = createRequire(import.meta.url);
		return [require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`)];
	} catch {
		// Not installed with it: the PATH may have one.
		return [];
	}
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
