/**
 * `npm run bench`: what Muster costs, beside what it cannot cost less than and what others cost. Machines differ and are
 * busy, so the ratios count, not the milliseconds; nothing here passes or fails.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { cacheDir } from "../vscode/paths.ts";
import { benches } from "./benches.ts";
import { compare, renderTable, type Row } from "./figures.ts";

const usage = `npm run bench [-- options]

  --only NAME   one bench; may be given several times: ${benches.map(({ name }) => name).join(", ")}
  --quick       small sizes and one round: shows that a bench works, not what anything costs`;

const { values } = parseArgs({
	options: {
		only: { type: "string", multiple: true, default: [] },
		quick: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});
const unknown = values.only.filter((only) => benches.every(({ name }) => name !== only));
if (values.help || unknown.length > 0) {
	if (unknown.length > 0) console.log(`There is no bench ${unknown.join(", ")}.\n`);
	console.log(usage);
	process.exit(values.help ? 0 : 2);
}

const chosen = benches.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
const startedAt = new Date().toISOString();
const tables: Record<string, readonly Row[]> = {};
for (const { name, title, run } of chosen) {
	console.log(`\n${name}: ${title}`);
	const rows = compare(await run({ isQuick: values.quick }));
	console.log(renderTable(rows));
	tables[name] = rows;
}

const file = path.join(cacheDir, "results/bench.json");
const machine = { node: process.version, platform: process.platform, cpus: os.cpus().length, load: os.loadavg() };
fs.mkdirSync(path.dirname(file), { recursive: true });
fs.writeFileSync(file, `${JSON.stringify({ startedAt, isQuick: values.quick, machine, tables }, null, "\t")}\n`);
console.log(`\nAlso in ${path.relative(process.cwd(), file)}. Load of the machine: ${os.loadavg()[0]?.toFixed(1)}.`);
