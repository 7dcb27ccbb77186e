import { nearestName } from "../base/nearestName.ts";
import type { Places } from "../permissions/findUnsafeWord.ts";
import type { SideEffect } from "../permissions/sideEffect.ts";
import { activateSkill, readSkillResource, type ActivatedSkill, type SkillResource } from "./activateSkill.ts";
import type { Skill } from "./skill.ts";
import { findNarrowingProblem, readNarrowing, type SkillNarrowing } from "./skillNarrowing.ts";

export interface RunSkillsOptions {
	readonly places: Places;
	/** The one name of a tool, whatever a skill's file calls it. */
	canonicalName(name: string): string;
	/** Whether a real path is one that the run's file tools would not open unasked. */
	isWithheld(realPath: string): Promise<boolean>;
}

/**
 * The skills of one run: those that were effective when it began, and what those in use leave of its tools. A second
 * skill narrows further; nothing widens again before the run ends.
 */
export class RunSkills {
	readonly #skills: readonly Skill[];
	readonly #options: RunSkillsOptions;
	readonly #narrowings = new Map<string, SkillNarrowing>();

	constructor(skills: readonly Skill[], options: RunSkillsOptions) {
		this.#skills = skills.filter(isForModels);
		this.#options = options;
	}

	get isEmpty(): boolean {
		return this.#skills.length === 0;
	}

	/** Loads a skill; from then on its `allowed-tools` hold. */
	async activate(name: string): Promise<ActivatedSkill & { readonly allowed?: readonly string[] }> {
		const skill = this.#find(name);
		if (skill === undefined) return { ok: false, reason: this.#explainUnknown(name) };
		const activated = await activateSkill(skill);
		const narrowing = activated.ok ? readNarrowing(skill, (tool) => this.#options.canonicalName(tool)) : undefined;
		if (narrowing === undefined) return activated;
		this.#narrowings.set(skill.name, narrowing);
		return { ...activated, allowed: narrowing.allowed };
	}

	/** A text file of a skill's folder. */
	async readResource(name: string, file: string): Promise<SkillResource> {
		const skill = this.#find(name);
		if (skill === undefined) return { ok: false, reason: this.#explainUnknown(name) };
		return readSkillResource(skill, file, (realPath) => this.#options.isWithheld(realPath));
	}

	/** Why a skill in use does not allow this call; undefined when all of them do. */
	async findRefusal(tool: string, effect: SideEffect): Promise<string | undefined> {
		for (const narrowing of this.#narrowings.values()) {
			const problem = await findNarrowingProblem(narrowing, tool, effect, this.#options.places);
			if (problem !== undefined) return problem;
		}
		return undefined;
	}

	#find(name: string): Skill | undefined {
		const wanted = name.trim().toLowerCase();
		return this.#skills.find((skill) => skill.name === name) ?? this.#skills.find((skill) => skill.name === wanted);
	}

	#explainUnknown(name: string): string {
		const names = this.#skills.map((skill) => skill.name);
		const nearest = nearestName(name, names);
		const shown = names.slice(0, mostNamed).join(", ");
		const rest = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
		const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
		return `There is no skill named ${JSON.stringify(name.slice(0, 80))}.${hint} Available: ${shown || "none"}${rest}.`;
	}
}

const mostNamed = 20;

/** Some authors keep a skill from models: only people and agent files name it. */
function isForModels({ extra }: Skill): boolean {
	return extra["disable-model-invocation"] !== true;
}
