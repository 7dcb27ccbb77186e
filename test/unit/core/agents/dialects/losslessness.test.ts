import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDialect } from "./readDialect.ts";

const keys = [
	"agents",
	"background",
	"color",
	"disallowedTools",
	"effort",
	"hidden",
	"hooks",
	"isolation",
	"maxTurns",
	"mcpServers",
	"mode",
	"model",
	"modelId",
	"permission",
	"permissionMode",
	"permissions",
	"readonly",
	"skills",
	"steps",
	"timeoutSeconds",
	"tools",
	"user-invocable",
	"visibility",
	"x-anything",
	"toString",
];
const value = fc.oneof(
	fc.constantFrom(
		"Read, Bash",
		"sonnet",
		"primary",
		"worktree",
		"high",
		"internal",
		true,
		false,
		3,
		0.5,
		null,
		"",
		"*",
	),
	fc.array(fc.constantFrom("Read", "grep", "nonsense", 3), { maxLength: 3 }),
	fc.dictionary(fc.constantFrom("bash", "*", "edit", "toString"), fc.constantFrom("deny", "allow", true, false, 1), {
		maxKeys: 3,
	}),
	fc.jsonValue({ maxDepth: 2 }),
);
const entries = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 });

describe("an agent of another program", () => {
	it.each(["claude", "vscode", "opencode", "cursor", "cline", "netclaw"] as const)(
		"loses nothing that its file says, in the dialect %s",
		async (dialect) => {
			await fc.assert(
				fc.asyncProperty(entries, async (written) => {
					// Through JSON, as into the file: text has no negative zero.
					const data = JSON.parse(JSON.stringify({ name: "a", description: "b", ...written })) as object;
					const lines = Object.entries(data).map(([key, entry]) => `${JSON.stringify(key)}: ${JSON.stringify(entry)}`);
					const { agent, problems } = await readDialect(dialect, `---\n${lines.join("\n")}\n---\nc\n`);
					const held = agent === undefined ? data : { ...agent, ...agent.extra };
					expect(held).toMatchObject(data);
					expect(agent ?? problems[0]).toBeDefined();
				}),
				{ numRuns: 150 },
			);
		},
	);
});
