import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveSkills, type SkillEntry } from "../../../../src/core/skills/resolveSkills.ts";
import type { SkillLayer } from "../../../../src/core/skills/skill.ts";

const layers: readonly SkillLayer[] = ["repo", "role"];
const places = ["agents", "claude", "github"];

interface Said {
	readonly name: string;
	readonly level: number;
	readonly says: "skill" | "marker" | "both" | "broken" | "brokenAndMarker";
	readonly text: string;
}

/** Each folder at most once; `level` counts the places of both layers from the highest. */
const saidOfSkills = fc.uniqueArray(
	fc.record<Said>({
		name: fc.constantFrom("a", "b", "c"),
		level: fc.nat({ max: layers.length * places.length - 1 }),
		says: fc.constantFrom("skill", "marker", "both", "broken", "brokenAndMarker"),
		text: fc.string(),
	}),
	{ selector: ({ name, level }) => `${name} ${level}` },
);

function toEntry({ name, level, says, text }: Said): SkillEntry {
	const layer = layers[Math.floor(level / places.length)] ?? "repo";
	const folder = `/${layer}/${places[level % places.length]}/${name}`;
	const file = `${folder}/SKILL.md`;
	const skill = { name, layer, root: `/${layer}`, file, description: `Does ${text}`, extra: { text } };
	return {
		name,
		layer,
		...(/marker|both/iu.test(says) && { marker: `${folder}/.disabled` }),
		...(says !== "marker" && { file }),
		...((says === "skill" || says === "both") && { skill }),
	};
}

const byLevel = (said: readonly Said[]) => said.toSorted((one, other) => one.level - other.level);
const resolve = (said: readonly Said[]) => resolveSkills(byLevel(said).map(toEntry));

describe("resolveSkills", () => {
	it("decides by layer and name alone, whatever the files say and however the disk lists them", () => {
		fc.assert(
			fc.property(saidOfSkills, fc.string(), (said, text) => {
				const files = ({ skills }: ReturnType<typeof resolve>) => skills.map(({ file, shadows }) => [file, shadows]);
				const retold = said.map((one) => ({ ...one, text })).toReversed();
				expect(files(resolve(retold))).toEqual(files(resolve(said)));
			}),
		);
	});

	it("decides each name by the highest place that says anything, and no other name matters", () => {
		fc.assert(
			fc.property(saidOfSkills, (said) => {
				const names = ["a", "b", "c"].filter((name) => {
					const decisive = byLevel(said).find((one) => one.name === name && one.says !== "broken");
					return decisive?.says === "skill";
				});
				const { skills } = resolve(said);
				expect(skills.map(({ name }) => name)).toEqual(names);
				for (const skill of skills) {
					const alone = resolve(said.filter(({ name }) => name === skill.name));
					expect(alone.skills).toEqual([skill]);
				}
			}),
		);
	});

	it("accounts for every file that loads or is disabled, once", () => {
		fc.assert(
			fc.property(saidOfSkills, (said) => {
				const { skills, unused } = resolve(said);
				const accounted = new Set([...skills, ...unused].map(({ file }) => file));
				const expected = said.filter(({ says }) => says !== "marker" && says !== "broken");
				expect(accounted).toEqual(new Set(expected.map((one) => toEntry(one).file)));
				expect(skills.length + unused.length).toBe(expected.length);
			}),
		);
	});

	it("is idempotent: what it leaves in use, alone, is in use", () => {
		fc.assert(
			fc.property(saidOfSkills, (said) => {
				const { skills } = resolve(said);
				const again = resolveSkills(skills.map((skill) => ({ ...skill, skill })));
				expect(again.skills.map(({ file }) => file)).toEqual(skills.map(({ file }) => file));
				expect([again.unused, again.problems]).toEqual([[], []]);
			}),
		);
	});
});
