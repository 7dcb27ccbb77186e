import { nearestName } from "../base/nearestName.ts";
import { unofferedTools } from "../base/unofferedTools.ts";
import { type ConfigProblem } from "./configProblem.ts";
import { type Path, positionAt } from "./positionTree.ts";
import type { ParsedConfig } from "./readConfigTables.ts";

/** What names in a configuration may refer to. */
export interface Vocabulary {
	/** Built-in tools, for suggestions. */
	readonly toolNames: readonly string[];
	/** Whether a tool of this name, or of this alias, means anything. */
	readonly isKnownTool: (name: string) => boolean;
	/** The one name of a tool. */
	readonly canonicalToolName: (name: string) => string;
	/** Providers of models besides those that the configuration defines. */
	readonly providerIds: readonly string[];
}

/** Names in one part that refer to nothing. Never an error: what is not there is not granted either. */
export function findUnknownReferences(
	part: ParsedConfig,
	vocabulary: Vocabulary,
	providerIds: readonly string[],
): readonly ConfigProblem[] {
	const report = (severity: "warning" | "information", code: string, message: string, path: Path): ConfigProblem => ({
		severity,
		code,
		message,
		file: part.origin.file,
		...positionAt(part.positions, path),
	});

	function checkTools(names: readonly string[] | undefined, path: Path): ConfigProblem[] {
		return (names ?? []).flatMap((name, index): ConfigProblem[] => {
			const at = [...path, index];
			if (unofferedTools.has(vocabulary.canonicalToolName(name))) {
				const message = `There is no "${name}" here, so allowing it changes nothing.`;
				return [report("information", "config.toolNotOffered", message, at)];
			}
			if (name.includes("*") || vocabulary.isKnownTool(name)) return [];
			const nearest = nearestName(name, vocabulary.toolNames);
			const advice =
				nearest === undefined ? `Known tools: ${vocabulary.toolNames.join(", ")}.` : `Did you mean "${nearest}"?`;
			return [report("warning", "config.unknownTool", `There is no tool named "${name}". ${advice}`, at)];
		});
	}

	function checkModel(model: string | undefined, path: Path): ConfigProblem[] {
		const provider = model?.split("/")[0];
		if (provider === undefined || providerIds.includes(provider)) return [];
		const nearest = nearestName(provider, providerIds);
		const advice = nearest === undefined ? `Known: ${providerIds.join(", ")}.` : `Did you mean "${nearest}"?`;
		const message = `There is no model provider "${provider}". ${advice} Until there is, other models run instead.`;
		return [report("warning", "config.unknownProvider", message, path)];
	}

	const defaultsPath = ["agents", "defaults", "subagents"];
	const defaults = part.value.agents?.defaults?.subagents;
	return [
		...checkTools(defaults?.allowTools, [...defaultsPath, "allowTools"]),
		...checkModel(defaults?.model, [...defaultsPath, "model"]),
		...(part.value.agents?.list ?? []).flatMap((agent, index) => {
			const path = ["agents", "list", index];
			return [
				...checkModel(agent.model, [...path, "model"]),
				...checkTools(agent.tools?.allow, [...path, "tools", "allow"]),
				...checkModel(agent.subagents?.model, [...path, "subagents", "model"]),
				...checkTools(agent.subagents?.allowTools, [...path, "subagents", "allowTools"]),
			];
		}),
	];
}
