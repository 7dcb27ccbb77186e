// `npm test` and `npm run check`. Ends with the line "N passed, M failed" and exits with 1 unless all is well.
import { parseArgs } from "node:util";
import { type Isolation, isolate } from "./run/isolation.ts";
import { type Outcome, count, oneFailed, sum } from "./run/outcome.ts";
import { type Stage, stages } from "./run/stages.ts";

const names = stages.flat().map(({ name }) => name);
const fastNames = ["format", "lint", "types", "unit", "guards"];
const usage = `npm test [-- options] [words]     everything, or only test files whose path holds one of the words
npm run check                     the fast loop: ${fastNames.join(", ")}

  --only a,b   these stages and what they need: ${names.join(", ")}
  --help       this text`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { only: { type: "string" }, help: { type: "boolean" } },
});
const isCheck = positionals[0] === "check";
const filters = isCheck ? positionals.slice(1) : positionals;
const wanted = values.only?.split(",") ?? (isCheck ? fastNames : names);
const unknown = wanted.filter((name) => !names.includes(name));
if (values.help || unknown.length > 0) {
	if (unknown.length > 0) console.error(`There is no stage ${unknown.join(", ")}.\n`);
	console.log(usage);
	process.exit(unknown.length > 0 ? 2 : 0);
}

const outcomes = new Map<string, Outcome>();
let isolation: Isolation | undefined;

for (const row of chooseRows()) {
	if (row.some(({ isIsolated }) => isIsolated) && !isolation) {
		isolation = await isolate();
		console.log(`\nFrom here on the network is ${isolation.description}.`);
	}
	await Promise.all(row.map((stage) => runStage(stage, row.length > 1)));
}

const attempts = [...new Set(await isolation?.end())];
if (attempts.length > 0) console.log(`\nRefused on the way out:\n${list(attempts)}`);
const total = sum([...outcomes.values()]);
if (total.skipped.length > 0) console.log(`\nSkipped:\n${list(total.skipped)}`);
if (total.failed.length > 0) console.log(`\nFailed:\n${list(total.failed)}`);
console.log(`\n${count(total)}`);
process.exitCode = total.failed.length > 0 || total.passed === 0 ? 1 : 0;

/** The rows to run. The fast loop is one row of its own: nothing in it waits for anything. */
function chooseRows(): readonly (readonly Stage[])[] {
	if (isCheck && values.only === undefined) return [stages.flat().filter(({ name }) => fastNames.includes(name))];
	const chosen = new Set(wanted);
	// the needed stages stand before those that need them
	for (const stage of stages.flat().toReversed()) {
		if (chosen.has(stage.name)) for (const name of stage.needs) chosen.add(name);
	}
	return stages.map((row) => row.filter(({ name }) => chosen.has(name))).filter((row) => row.length > 0);
}

/** Stages that run beside others are heard when they have ended, each in one piece. */
async function runStage(stage: Stage, isBesideOthers: boolean): Promise<void> {
	const { name } = stage;
	const lacking = stage.needs.filter((need) => (outcomes.get(need)?.failed.length ?? 0) > 0);
	const startedAt = Date.now();
	let output = "";
	const collect = isBesideOthers ? (text: string) => void (output += text) : undefined;
	if (!isBesideOthers) console.log(`\n▸ ${name}`);
	const outcome =
		lacking.length > 0
			? oneFailed(`${name}: not run, because ${lacking.join(" and ")} failed`)
			: await stage.run({ filters, isolation: stage.isIsolated ? isolation : undefined, collect });
	outcomes.set(name, outcome);
	if (isBesideOthers) console.log(`\n▸ ${name}\n${output.trimEnd()}`.trimEnd());
	const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
	console.log(`${outcome.failed.length > 0 ? "✘" : "✔"} ${name}: ${count(outcome)} (${seconds} s)`);
}

function list(lines: readonly string[]): string {
	return lines.map((line) => `  ${line}`).join("\n");
}
