import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import path from "node:path";

export interface LocatedProgram {
	/** As it was found: this is started. The real path of a virtual environment's program is another environment's. */
	readonly path: string;
	readonly realPath: string;
}

/** Finds the program that a command means: on the PATH, or, if it names a place, from that folder. */
export async function locateProgram(
	command: string,
	{ cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<LocatedProgram | undefined> {
	const hasPlace = command.includes("/") || (process.platform === "win32" && command.includes("\\"));
	const searched = Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? "";
	const folders = hasPlace ? [cwd] : searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
	const endings = process.platform === "win32" ? ["", ".exe", ".com"] : [""];
	for (const folder of folders) {
		for (const ending of endings) {
			const found = path.resolve(folder, command + ending);
			if (await isProgram(found)) return { path: found, realPath: await realpath(found) };
		}
	}
	return undefined;
}

async function isProgram(file: string): Promise<boolean> {
	try {
		await access(file, constants.X_OK);
		return (await stat(file)).isFile();
	} catch {
		// It is not there, or not for us: the next folder may have it.
		return false;
	}
}
