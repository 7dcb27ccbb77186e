import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../vscode/paths.ts";

/** Every file of the checkout that is in git or could be: not those that git ignores. */
export function projectFiles(): string[] {
	const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
	const listed = execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" }).split("\0");
	return listed.filter((file) => file !== "" && existsSync(path.join(projectRoot, file)));
}
