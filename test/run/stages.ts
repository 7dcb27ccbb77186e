import fs from "node:fs";
import path from "node:path";
import { findChromium, installChromium } from "../vscode/findChromium.ts";
import { installVscode } from "../vscode/installVscode.ts";
import { cacheDir, projectRoot, vsixFile } from "../vscode/paths.ts";
import { spawnLeashed } from "../vscode/spawnLeashed.ts";
import type { Isolation } from "./isolation.ts";
import { type Outcome, oneFailed, onePassed } from "./outcome.ts";
import { vitestOutcome } from "./vitestOutcome.ts";

/** What a stage is given by the run. */
export interface StageContext {
	/** Only test files whose path holds one of these words. */
	readonly filters: readonly string[];
	/** There for the stages that ask for it. */
	readonly isolation: Isolation | undefined;
	/** Takes what the stage prints; without it the stage prints by itself. */
	readonly collect: ((text: string) => void) | undefined;
}

export interface Stage {
	readonly name: string;
	/** Stages without which this one makes no sense. */
	readonly needs: readonly string[];
	readonly isIsolated: boolean;
	run(context: StageContext): Promise<Outcome>;
}

const binDir = path.join(projectRoot, "node_modules");
const vitest = path.join(binDir, "vitest/vitest.mjs");

/** All stages, in the order in which they run; those of one row run at once. */
export const stages: readonly (readonly Stage[])[] = [
	[
		program("format", ["oxfmt/bin/oxfmt", "--check"]),
		program("lint", ["oxlint/bin/oxlint", "--type-aware"]),
		program("types", ["typescript/bin/tsc", "-b", "test"]),
		program("build", ["../esbuild.mjs", "--production"]),
		{ name: "install", needs: [], isIsolated: false, run: installBrowserAndEditor },
	],
	[
		program(
			"package",
			[
				"@vscode/vsce/vsce",
				"package",
				"--no-dependencies",
				"--no-rewrite-relative-links",
				"--allow-missing-repository",
				"--out",
				vsixFile,
			],
			["build"],
		),
	],
	// Nothing in it opens a store in a thread: see vitest.config.ts.
	[tests("unit", [], ["--maxWorkers=2"])],
	[tests("guards", ["build"])],
	[tests("faults", []), tests("page", ["install", "build"])],
	[tests("integration", ["install", "build"])],
	// Flows mostly wait, so they leave room for a VS Code.
	[tests("flow", []), tests("e2e", ["install", "package"])],
];

/** A single program, which counts as one test. It is named by its script below node_modules. */
function program(name: string, [script = "", ...args]: readonly string[], needs: readonly string[] = []): Stage {
	const run = async (context: StageContext) => {
		const code = await execute([process.execPath, path.join(binDir, script), ...args], {}, context);
		return code === 0 ? onePassed : oneFailed(name);
	};
	return { name, needs, isIsolated: false, run };
}

/** A vitest project. Those that need the browser also have to do without a network. */
function tests(name: string, needs: readonly string[], options: readonly string[] = []): Stage {
	const isIsolated = needs.includes("install");
	const run = async (context: StageContext) => {
		const report = path.join(cacheDir, "results", `${name}.json`);
		fs.rmSync(report, { force: true });
		const command = [
			process.execPath,
			vitest,
			"run",
			"--config=test/vitest.config.ts",
			`--project=${name}`,
			"--reporter=default",
			"--reporter=json",
			`--outputFile.json=${report}`,
			...options,
			...(context.filters.length > 0 ? ["--passWithNoTests", ...context.filters] : []),
		];
		const chromium = isIsolated ? findChromium() : undefined;
		const env = { ...(chromium && { CHROMIUM: chromium }), ...context.isolation?.env };
		const code = await execute(context.isolation?.wrap(command) ?? command, env, context);
		return vitestOutcome(name, report, code);
	};
	return { name, needs, isIsolated, run };
}

async function installBrowserAndEditor({ collect }: StageContext): Promise<Outcome> {
	try {
		await Promise.all([installVscode(), installChromium()]);
		return onePassed;
	} catch (error) {
		const text = `${error instanceof Error ? error.message : String(error)}\n`;
		if (collect) collect(text);
		else process.stdout.write(text);
		return oneFailed("install");
	}
}

async function execute(
	[command = "", ...args]: readonly string[],
	env: Readonly<Record<string, string>>,
	{ collect }: StageContext,
): Promise<number> {
	const colour = collect && process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
	const child = spawnLeashed(command, args, {
		cwd: projectRoot,
		env: { ...process.env, ...colour, ...env },
		output: collect ? "pipe" : "inherit",
	});
	if (collect) {
		child.process.stdout?.setEncoding("utf8").on("data", collect);
		child.process.stderr?.setEncoding("utf8").on("data", collect);
	}
	return child.ended;
}
