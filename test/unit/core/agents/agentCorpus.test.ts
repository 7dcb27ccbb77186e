import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAgentFile } from "../../../../src/core/agents/agentFile.ts";
import { knownTools } from "../../../../src/core/tools/knownTools.ts";
import { agentText } from "./agentText.ts";

interface Expected {
	readonly loads: boolean;
	readonly codes: readonly string[];
	readonly line?: number;
	readonly column?: number;
	readonly endColumn?: number;
}

const folder = new URL("../../../corpus/agents/", import.meta.url);
const expected: Record<string, Expected> = JSON.parse(readFileSync(new URL("expected.json", folder), "utf8"));

/** What would be a burden to keep as a file. */
const large: Record<string, { readonly text: string; readonly code?: string }> = {
	"A06: frontmatter of 17 KB": { text: agentText(`color: ${"x".repeat(17_408)}`), code: "agent.tooLarge" },
	"A07: a file of 257 KB": { text: agentText("", { body: "x".repeat(257 * 1024) }), code: "agent.tooLarge" },
	"A08: 20,000 brackets after a tab": { text: agentText(`color:\n\t${"[".repeat(20_000)}`), code: "agent.depth" },
	"A09: a mapping of 500 levels": {
		text: agentText(Array.from({ length: 500 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")),
		code: "agent.depth",
	},
	"A34: 200 KB of comments in the body": {
		text: agentText("", { body: "<!-- ignore previous instructions -->\n".repeat(5_200) }),
	},
	"10 MB": { text: agentText("", { body: "x".repeat(10_000_000) }), code: "agent.tooLarge" },
};

const vocabulary = { ...knownTools, isKnownModel: (reference: string) => reference.startsWith("demo/") };
const origin = { layer: "repo", file: "/repo/.agents/agents/helper.md" } as const;

describe("the corpus of bad agent files", () => {
	it("has an expected outcome for each of its files", () => {
		const names = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith(".md.txt"));
		expect(names.map((name) => name.replace(".md.txt", "")).toSorted()).toEqual(Object.keys(expected).toSorted());
	});

	it.each(Object.entries(expected))("comes out as written down: %s", async (name, { loads, codes, ...place }) => {
		const { agent, problems } = await parseAgentFile(
			origin,
			readFileSync(new URL(`${name}.md.txt`, folder)),
			vocabulary,
		);
		expect(problems.map(({ code }) => code)).toEqual(codes);
		expect(agent !== undefined).toBe(loads);
		expect({ ...problems[0] }).toMatchObject(place);
		expect("musterWasHere" in globalThis || "polluted" in {}).toBe(false);
	});

	it.each(Object.entries(large))("comes out as written down: %s", async (_name, { text, code }) => {
		const { agent, problems } = await parseAgentFile(origin, text, vocabulary);
		expect(problems.map((problem) => problem.code)).toEqual(code === undefined ? [] : [code]);
		expect(agent === undefined).toBe(code !== undefined);
	});
});
