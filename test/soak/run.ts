/**
 * `npm run soak`: the fault tests with everything that takes too long for each change. A host with a longer scene is killed
 * before and after each of its commits, and many more are killed at random. A shell that floods its output does so for thirty
 * seconds. And MCP servers are started and stopped two hundred times.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { projectRoot } from "../vscode/paths.ts";
import { spawnLeashed } from "../vscode/spawnLeashed.ts";

const usage = `npm run soak [-- options] [words]     or only the fault tests whose file name holds one of the words

  --kills N    processes that are killed at random, over both stores; default 120`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { kills: { type: "string", default: "120" }, help: { type: "boolean" } },
});
const kills = Number(values.kills);
const isUsable = Number.isInteger(kills) && kills > 0;
if (values.help || !isUsable) {
	console.log(usage);
	process.exit(values.help ? 0 : 2);
}

const folder = "test/unit/core/faults";
const all = [`${folder}/`, "test/unit/core/tools/builtin/shell.test.ts", "test/unit/core/mcp/serverProcesses.test.ts"];
const files = positionals.length > 0 ? positionals.map((word) => `${folder}/${word}`) : all;
const vitest = path.join(projectRoot, "node_modules/vitest/vitest.mjs");
const started = Date.now();
const child = spawnLeashed(
	process.execPath,
	// One file after the other: two of them at once would starve each other's processes.
	[
		vitest,
		"run",
		"--config=test/vitest.config.ts",
		"--project=faults",
		"--project=flow",
		"--no-file-parallelism",
		...files,
	],
	{
		cwd: projectRoot,
		// Each of the two stores takes half of the kills.
		env: { ...process.env, MUSTER_SOAK: "1", MUSTER_SOAK_KILLS: String(Math.ceil(kills / 2)) },
		output: "inherit",
	},
);
process.exitCode = await child.ended;
console.log(
	`\n${process.exitCode === 0 ? "Sound" : "Not sound"} after ${Math.round((Date.now() - started) / 1000)} s.`,
);
