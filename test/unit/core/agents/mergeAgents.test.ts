import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../../src/core/agents/agentDefinition.ts";
import { mergeAgents } from "../../../../src/core/agents/mergeAgents.ts";

const anAgent = fc.record({
	name: fc.constantFrom("a", "b", "c"),
	dialect: fc.constantFrom("native", "claude", "codex"),
	override: fc.boolean(),
	color: fc.string(),
});
const precedence = ["native", "claude", "codex"];

/** Layers as a scan would give them: each file once, by dialect and then by path. */
const someLayers = fc.array(fc.array(anAgent, { maxLength: 6 }), { minLength: 2, maxLength: 2 }).map((layers) =>
	layers.map((agents, index): AgentDefinition[] =>
		agents
			.toSorted((one, other) => precedence.indexOf(one.dialect) - precedence.indexOf(other.dialect))
			.map((agent, at) => ({
				...agent,
				description: "",
				prompt: "",
				visibility: "user-facing",
				layer: index === 0 ? "home" : "repo",
				file: `/${index}/${at}`,
			})),
	),
);

describe("mergeAgents", () => {
	it("names every agent exactly once: as used, as shadowed, or in a clash that is an error", () => {
		fc.assert(
			fc.property(someLayers, fc.constantFrom("error", "projectWins"), (layers, onDuplicate) => {
				const { agents, shadowed, clashes } = mergeAgents(layers, onDuplicate);
				const refused = clashes.filter(({ kind }) => kind === "duplicate" || kind === "layer");
				const files = [
					...agents.map(({ file }) => file),
					...shadowed.map(({ agent }) => agent.file),
					...refused.map(({ other }) => other.file),
				];
				expect(files.toSorted()).toEqual(
					layers
						.flat()
						.map(({ file }) => file)
						.toSorted(),
				);
				expect(new Set(agents.map(({ name }) => name)).size).toBe(agents.length);
			}),
		);
	});

	it("decides by name, layer, dialect and the word `override`, not by anything else that a file says", () => {
		fc.assert(
			fc.property(someLayers, (layers) => {
				const bare = layers.map((layer) => layer.map((agent) => ({ ...agent, color: "grey", description: "other" })));
				const files = (all: typeof layers) => mergeAgents(all).agents.map(({ file }) => file);
				expect(files(bare)).toEqual(files(layers));
			}),
		);
	});

	it("changes nothing when its result is merged again", () => {
		fc.assert(
			fc.property(someLayers, (layers) => {
				const { agents } = mergeAgents(layers);
				expect(mergeAgents([agents])).toEqual({ agents, shadowed: [], clashes: [] });
			}),
		);
	});

	it("says of each replacement which file it replaces", () => {
		fc.assert(
			fc.property(someLayers, (layers) => {
				const { agents, shadowed } = mergeAgents(layers);
				const known = new Set(layers.flat().map(({ file }) => file));
				const named = [...agents.flatMap(({ shadows = [] }) => shadows), ...shadowed.map(({ by }) => by)];
				expect(named.filter((file) => !known.has(file))).toEqual([]);
			}),
		);
	});
});
