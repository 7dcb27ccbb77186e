import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../src/core/base/errors.ts";
import { cacheDir } from "../vscode/paths.ts";
import { runCommand } from "../vscode/runCommand.ts";

const from = fileURLToPath(new URL("peers/", import.meta.url));
const installed = path.join(cacheDir, "bench/peers");
const stamp = path.join(installed, "installed");
const packages = ["package.json", "package-lock.json"];
const contestants = ["openai.mjs", "aiSdk.mjs"];

/**
 * Puts the peers that peers/package-lock.json names into `.cache`, once, without running any script of theirs. Gives the
 * folder of the contestants, or undefined, and says why, where npm cannot get them.
 */
export async function installPeers(): Promise<string | undefined> {
	try {
		await install();
	} catch (error) {
		console.log(`  The peers could not be installed; the figures go without them. ${messageOf(error)}`);
		return undefined;
	}
	for (const name of contestants) fs.copyFileSync(path.join(from, name), path.join(installed, name));
	return installed;
}

async function install(): Promise<void> {
	const hash = createHash("sha256");
	for (const name of packages) hash.update(fs.readFileSync(path.join(from, name)));
	const wanted = hash.digest("hex");
	if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === wanted) return;
	fs.rmSync(installed, { recursive: true, force: true });
	fs.mkdirSync(installed, { recursive: true });
	for (const name of packages) fs.copyFileSync(path.join(from, name), path.join(installed, name));
	const { npm_execpath: running } = process.env;
	const [command, ...first] = running?.endsWith(".js") ? [process.execPath, running] : ["npm"];
	const args = [...first, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
	await runCommand("Installing the peers into .cache/bench/peers, about 60 MB", command, args, { cwd: installed });
	fs.writeFileSync(stamp, wanted);
}
