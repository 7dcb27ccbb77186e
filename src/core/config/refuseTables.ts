import type { ConfigProblem } from "./configProblem.ts";
import type { Path } from "./positionTree.ts";
import { layerNames, refuseValue } from "./provenance.ts";
import type { ParsedConfig } from "./readConfigTables.ts";

/**
 * What a part says that only the user may say: who is answered and by whom, where models are, what needs no asking. A role
 * pack and an agent's workspace say nothing of static agents; what a folder says of them is judged where they are merged.
 */
export function refuseTables(part: ParsedConfig): readonly ConfigProblem[] {
	const { agents, bindings, channels, modelProviders, modelRoles, permissions, prices } = part.value;
	const isRepo = part.origin.layer === "repo";
	const paths: readonly (readonly [what: string, path: Path])[] = [
		...Object.keys(modelProviders ?? {}).map((id) => ["a model provider", ["modelProviders", id]] as const),
		...Object.keys(modelRoles ?? {}).map((name) => ["a model role", ["modelRoles", name]] as const),
		...Object.keys(prices ?? {}).map((name) => ["a price", ["prices", name]] as const),
		...Object.keys(channels ?? {}).map((name) => ["a channel", ["channels", name]] as const),
		...(bindings ?? []).map((_, index) => ["a binding", ["bindings", index]] as const),
		...(permissions?.allow ?? []).map((_, index) => ["a permission", ["permissions", "allow", index]] as const),
		...(agents?.onDuplicate === undefined ? [] : [["who wins", ["agents", "onDuplicate"]] as const]),
		...(isRepo ? [] : (agents?.list ?? []).map((_, index) => ["a static agent", ["agents", "list", index]] as const)),
	];
	const where = layerNames[part.origin.layer];
	return paths.map(([what, path]) => {
		const message = `Not used: ${what} can't come from ${where}. Put it into the config.toml of your home, or into your settings.`;
		return refuseValue(part, path, message);
	});
}
