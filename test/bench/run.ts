/**
 * `npm run bench`: what Muster costs, beside what it cannot cost less than. Machines differ and are busy, so the ratios
 * count, not the milliseconds; nothing here passes or fails.
 */
import { execFileSync } from "node:child_process";
import { measureActivation } from "./activation.ts";
import { measureBundles } from "./bundles.ts";
import { measureSpawn } from "./spawnToFirstToken.ts";
import { projectRoot } from "../vscode/paths.ts";

execFileSync(process.execPath, ["esbuild.mjs", "--production"], { cwd: projectRoot, stdio: "inherit" });

console.log("\nBundles");
console.table(measureBundles());

console.log(
	"\nSpawn to first token: the demo model without its pace; floor = two appends, each with fdatasync, and the bare model",
);
console.table(await measureSpawn());

console.log(
	"\nActivation in a real VS Code, as its own list of running extensions says, beside extensions that ship with it",
);
console.table(await measureActivation());
