import { explainConfig, type Explanation, type FoundItem } from "../config/explainConfig.ts";
import type { Source } from "../config/provenance.ts";
import type { Catalog } from "./discoverCatalog.ts";

/** Every effective value, agent and skill with where it is written, what it shadows and why it holds. */
export function explainCatalog({ config, layers, agents, skills, problems }: Catalog): Explanation {
	const at = (layer: Source["layer"], file: string): Source => ({ layer, file, line: 1 });
	const found: FoundItem[] = [
		...agents.agents.map(({ name, layer, file }): FoundItem => {
			const below = agents.shadowed.filter(({ by }) => by === file).map(({ agent }) => at(agent.layer, agent.file));
			return { kind: "agent", name, source: at(layer, file), shadows: below };
		}),
		...skills.skills.map(({ name, layer, file, shadows }): FoundItem => {
			const below = skills.unused
				.filter((skill) => shadows.includes(skill.file))
				.map((skill) => at(skill.layer, skill.file));
			return { kind: "skill", name, source: at(layer, file), shadows: below };
		}),
		...skills.unused
			.filter(({ reason }) => reason === "disabled")
			.map(({ name, layer, file, by }): FoundItem => ({
				kind: "skill",
				name,
				source: at(layer, file),
				shadows: [],
				reason: `disabled by ${by}`,
			})),
	];
	return { ...explainConfig(config, layers, found), problems };
}
