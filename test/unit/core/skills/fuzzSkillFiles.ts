/** Runs in a process of its own with a small heap, started by `fuzz.test.ts`: parses what no editor would save. */
import * as fc from "fast-check";
import { parseSkillFile } from "../../../../src/core/skills/skillFile.ts";

const origin = { name: "x", layer: "repo", root: "/repo", file: "/repo/.agents/skills/x/SKILL.md" } as const;
const runs = Number(process.argv[2]);
const seed = Number(process.argv[3]);

const fragment = fc.constantFrom(
	..."--- ---js - : ? # | > &a *a ** !!js !x name description allowed-tools metadata license __proto__ << x ".split(
		" ",
	),
	...`' " \\ { } [ ] , null 1e999 0x10 .inf 2001-01-01 true %YAML ... \` @`.split(" "),
	": ",
	"- ",
	"\n",
	"\r\n",
	"\r",
	"\t",
	"\u0000",
	"\uFEFF",
	"\u202E",
	"\u200D",
	"\u{E0041}",
	"\uD800",
	"[".repeat(3_000),
	"a:\n ".repeat(500),
	"x".repeat(20_000),
);
const soup = fc.array(fragment, { maxLength: 60 }).map((parts) => Buffer.from(parts.join("")));
const fenced = fc.array(fragment, { maxLength: 40 }).map((parts) => {
	const lines = parts.join("");
	return Buffer.from(`---\nname: x\ndescription: Does it.\n${lines}\n---\nBody.\n`);
});
const bytes = fc.uint8Array({ maxLength: 400 });

let loaded = 0;
let slowestMs = 0;
await fc.assert(
	fc.asyncProperty(fc.oneof(soup, fenced, bytes), async (source) => {
		const startedAt = performance.now();
		const { skill, problems } = await parseSkillFile(origin, source);
		slowestMs = Math.max(slowestMs, performance.now() - startedAt);
		const errors = problems.filter(({ severity }) => severity === "error");
		if (skill === undefined && (errors.length !== 1 || problems.length !== 1)) throw new Error("Not one reason");
		if (skill !== undefined && errors.length > 0) throw new Error("Loads in spite of an error");
		if (problems.some(({ code, file }) => !code.startsWith("skill.") || file !== origin.file))
			throw new Error("Astray");
		if (skill !== undefined) loaded++;
	}),
	{ numRuns: runs, seed },
);
process.stdout.write(JSON.stringify({ loaded, slowestMs, isPolluted: "polluted" in {} }));
