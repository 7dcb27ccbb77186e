/** Runs in a process of its own: reads mutated agent files in every dialect, and prints what came of it. */
import { readdirSync, readFileSync } from "node:fs";
import { agentDialects } from "../../../../src/core/agents/dialects/agentDialects.ts";
import { loadFrontmatterParser } from "../../../../src/core/agents/frontmatter.ts";
import { knownTools } from "../../../../src/core/tools/knownTools.ts";

const [seed = "1", count = "1000"] = process.argv.slice(2);
const corpus = new URL("../../../corpus/agents/", import.meta.url);

const samples: readonly Buffer[] = [
	...readdirSync(corpus)
		.filter((name) => name.endsWith(".md.txt"))
		.map((name) => readFileSync(new URL(name, corpus))),
	Buffer.from('name = "a"\ndescription = "b"\ndeveloper_instructions = """\nc\n"""\n[mcp_servers.x]\ncommand = "y"\n'),
	Buffer.from(
		"---\ndescription: b\ntools: { '*': false, read: true }\npermission: { bash: { 'rm *': deny } }\n---\nc\n",
	),
	Buffer.from(
		"---\nname: A b\ndescription: Use: it\ntools: Read, Bash(x:*)\nmodel: [a, b]\nhooks: { a: [b] }\n---\nc\n",
	),
];

const pieces = [
	"---\n",
	"---js\n",
	"name: x\n",
	"tools: [",
	"]",
	"{",
	"}",
	"&a ",
	"*a",
	"- ",
	": ",
	"'",
	'"""',
	"|\n",
	">\n",
	"#",
	"!!js/function ",
	"\t",
	"\0",
	"\u202E",
	"\u{E0041}",
	"\r\n",
	"__proto__: ",
	"toString: 1\n",
	"valueOf: 1\n",
	"permission: ",
	"x.".repeat(300),
	"[".repeat(400),
	" ".repeat(500),
	"\xff",
];

/** Mulberry32: the same numbers for the same seed, so that what was found once is found again. */
let state = Number(seed);
function below(limit: number): number {
	state = (state + 0x6d2b79f5) | 0;
	let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
	mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
	return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
}

function pick<Item>(items: readonly Item[]): Item {
	const item = items[below(items.length)];
	if (item === undefined) throw new Error("There is nothing to pick from");
	return item;
}

function mutate(bytes: Buffer): Buffer {
	const at = below(bytes.length + 1);
	const to = Math.min(bytes.length, at + below(40));
	const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
	switch (below(6)) {
		case 0:
			return Buffer.concat([before, Buffer.from(pick(pieces)), after]);
		case 1:
			return Buffer.concat([before, bytes.subarray(to)]);
		case 2:
			return Buffer.concat([before, ...Array.from({ length: below(50) }, () => bytes.subarray(at, to)), after]);
		case 3:
			return Buffer.concat([before, Buffer.from([below(256)]), bytes.subarray(Math.min(bytes.length, at + 1))]);
		case 4: {
			const other = pick(samples);
			return Buffer.concat([before, other.subarray(below(other.length + 1))]);
		}
		default:
			return before;
	}
}

const parse = await loadFrontmatterParser();
const outcome = { runs: 0, loaded: 0, slowestMs: 0, silent: [] as string[] };
for (let run = 0; run < Number(count); run++) {
	let bytes = pick(samples);
	for (let step = below(6); step >= 0; step--) bytes = mutate(bytes);
	const dialect = pick(agentDialects);
	const source = { layer: "repo", file: "/repo/a.md", path: "a.md", bytes } as const;
	const startedAt = performance.now();
	const { agent, problems } = await dialect.read(source, { vocabulary: knownTools, parse });
	outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - startedAt);
	outcome.runs++;
	if (agent !== undefined) outcome.loaded++;
	const isRefused = problems.some(({ severity }) => severity === "error");
	if (agent === undefined ? problems.length === 0 : isRefused)
		outcome.silent.push(`${dialect.id} ${bytes.toString("base64")}`);
}
console.log(JSON.stringify({ ...outcome, hasRun: "musterWasHere" in globalThis, isPolluted: "polluted" in {} }));
