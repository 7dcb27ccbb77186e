import type { TextRange } from "../base/textEdit.ts";
import { inFile, type AgentProblem, type LocalFix, type TextProblem } from "./agentProblem.ts";
import { locateInFrontmatter, type FrontmatterPath, type FrontmatterPlaces } from "./locateInFrontmatter.ts";

/** A problem that concerns one field. Where that is, and how to repair it, is worked out only when it is reported. */
export interface FieldProblem {
	readonly severity: AgentProblem["severity"];
	readonly code: string;
	readonly message: string;
	/** Empty for the frontmatter as a whole. */
	readonly path: FrontmatterPath;
	/** Which part of the entry it is about; the value unless told. `body`: what is below. */
	readonly part?: "key" | "value" | "body";
	/** The word of the value that it is about, where the value has several. */
	readonly word?: string;
	fixes?(places: FrontmatterPlaces): readonly LocalFix[];
}

/** The problems with their places, for a text that `prescan` found safe. */
export async function placeProblems(
	file: string,
	text: string,
	problems: readonly FieldProblem[],
): Promise<AgentProblem[]> {
	if (problems.length === 0) return [];
	const places = await locateInFrontmatter(text);
	return problems.map((problem) => inFile(file, placeProblem(problem, places)));
}

function placeProblem(problem: FieldProblem, places: FrontmatterPlaces): TextProblem {
	const { severity, code, message } = problem;
	const fixes = problem.fixes?.(places) ?? [];
	return {
		severity,
		code,
		message,
		...(rangeOf(problem, places) ?? places.fence),
		...(fixes.length > 0 && { fixes }),
	};
}

function rangeOf({ path, part = "value", word }: FieldProblem, places: FrontmatterPlaces): TextRange | undefined {
	if (part === "body") return places.closingFence;
	if (path.length === 0) return places.fence;
	return word === undefined ? places[part](path) : places.word(path, word);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
