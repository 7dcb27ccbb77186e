/** Runs in a process of its own with a small heap, started by `fuzz.test.ts`: parses what no editor would save. */
import * as fc from "fast-check";
import { parseConfigFile } from "../../../../src/core/config/configFile.ts";
import { resolveConfig } from "../../../../src/core/config/resolveConfig.ts";
import { parseSettingsConfig } from "../../../../src/core/config/settingsConfig.ts";
import { vocabulary } from "./vocabulary.ts";

const origin = { layer: "repo", file: "/repo/.agents/config.toml" } as const;
const runs = Number(process.argv[2]);
const seed = Number(process.argv[3]);
const secret = `sk-${"canary".repeat(5)}`;

const fragment = fc.constantFrom(
	...`[ ] [[ ]] { } = . , # " ' """ ''' \\ \\u0000 \\UFFFFFFFF true inf nan -1 9007199254740993 1979-05-27`.split(" "),
	...`mcp_servers agents list defaults subagents bindings channels telegram accounts token permissions deny a b`.split(
		" ",
	),
	...`command url env http_headers enabled_tools id model agent_id match __proto__ constructor toString`.split(" "),
	"[mcp_servers.a]\n",
	'command = "a"\n',
	"[[agents.list]]\n",
	'id = "a"\n',
	`token = "${secret}"\n`,
	`{"agents": {"list": [`,
	" ",
	"\n",
	"\r\n",
	"\r",
	"\t",
	"\u0000",
	"\uFEFF",
	"\u202E",
	"\uD800",
	"[".repeat(3_000),
	"a.".repeat(3_000),
	"{a=".repeat(1_000),
	"x".repeat(20_000),
	"\n".repeat(5_000),
);
const soup = fc.array(fragment, { maxLength: 60 }).map((parts) => Buffer.from(parts.join("")));
const bytes = fc.uint8Array({ maxLength: 400 });
const values = fc.jsonValue({ maxDepth: 12 });

let loaded = 0;
let slowestMs = 0;
await fc.assert(
	fc.asyncProperty(fc.oneof(soup, bytes), values, async (source, value) => {
		const startedAt = performance.now();
		const parts = [
			await parseConfigFile(origin, source),
			parseSettingsConfig(origin, Buffer.from(source).toString()),
			parseSettingsConfig(origin, { agents: value, channels: { telegram: value }, bindings: [value] }),
		];
		const config = resolveConfig({ base: "home", parts, hasOwnServers: false }, vocabulary);
		slowestMs = Math.max(slowestMs, performance.now() - startedAt);
		for (const { value: kept, problems } of parts) {
			const isUnreadable = problems.some(({ code }) => /\.(?:toml|json|encoding|tooLarge)$/u.test(code));
			if (isUnreadable && (problems.length !== 1 || Object.keys(kept).length > 0)) throw new Error("Not one reason");
			if (Object.keys(kept).length > 0) loaded++;
		}
		if (JSON.stringify([parts, config]).includes(secret)) throw new Error("A secret was kept");
		if (config.problems.some(({ file }) => file !== origin.file)) throw new Error("Astray");
	}),
	{ numRuns: runs, seed },
);
process.stdout.write(JSON.stringify({ loaded, slowestMs, isPolluted: "polluted" in {} }));
