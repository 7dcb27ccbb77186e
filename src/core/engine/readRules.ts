import type { Problem } from "../base/errors.ts";
import { layerNames, type Resolved } from "../config/provenance.ts";
import type { ResolvedConfig } from "../config/resolveConfig.ts";
import { parseRule, type Rule, type RuleLists } from "../permissions/rule.ts";
import { canonicalToolName } from "../tools/toolNames.ts";

/** The configured rules, ready for the gate. One that cannot be read is a problem and protects nobody. */
export function readRules(permissions: ResolvedConfig["permissions"]): {
	readonly rules: RuleLists;
	readonly problems: readonly Problem[];
} {
	const problems: Problem[] = [];
	const read = (list: readonly Resolved<string>[]): readonly Rule[] =>
		list.flatMap(({ value, provenance: { file, line, layer } }) => {
			const origin = file === undefined ? layerNames[layer] : `${file}${line === undefined ? "" : `:${line}`}`;
			const parsed = parseRule(value, { origin, canonicalName: canonicalToolName });
			if (parsed.ok) return [parsed.rule];
			problems.push(parsed.problem);
			return [];
		});
	return {
		rules: { deny: read(permissions.deny), ask: read(permissions.ask), allow: read(permissions.allow) },
		problems,
	};
}
