import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgentFile } from "../../../../src/core/agents/agentFile.ts";
import { newAgentFile } from "../../../../src/core/agents/newAgentFile.ts";
import { someTools } from "./agentText.ts";

const parse = (text: string) => parseAgentFile({ layer: "repo", file: "/repo/new.md" }, text, someTools);

describe("newAgentFile", () => {
	it("is an agent that loads without a word", async () => {
		const { agent, problems } = await parse(newAgentFile("code-poet", "Use when code has to rhyme."));
		expect(problems).toEqual([]);
		expect(agent).toMatchObject({ name: "code-poet", description: "Use when code has to rhyme." });
	});

	it("loads with whatever description somebody types", async () => {
		const description = fc.string({ unit: fc.constantFrom(..."ab:#-'\"*&!|>[]{}%@` \n\té👪") });
		await fc.assert(
			fc.asyncProperty(description, async (typed) => {
				const { agent, problems } = await parse(newAgentFile("a", typed));
				expect(problems).toEqual([]);
				const words = typed.replaceAll(/\s+/gu, " ").trim();
				expect(agent?.description).toBe(words === "" ? "Use when someone has to …" : words);
			}),
		);
	});
});
