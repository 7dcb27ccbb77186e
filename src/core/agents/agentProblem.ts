import type { FileProblem } from "../base/fileProblem.ts";
import type { TextEdit } from "../base/textEdit.ts";

/** What there is to say about one agent file. After an error the file does not load; the rest only tell. */
export type AgentProblem = FileProblem;

/** An edit of a text whose file is not known yet. */
export type LocalEdit = Omit<TextEdit, "file">;

export interface LocalFix {
	readonly title: string;
	readonly edits: readonly LocalEdit[];
}

/** A problem of a text whose file is not known yet. */
export interface TextProblem extends Omit<AgentProblem, "file" | "fixes"> {
	readonly fixes?: readonly LocalFix[];
}

/** Says which file a problem and its fixes are about. */
export function inFile(file: string, { fixes, ...problem }: TextProblem): AgentProblem {
	if (fixes === undefined) return { ...problem, file };
	return {
		...problem,
		file,
		fixes: fixes.map(({ title, edits }) => ({ title, edits: edits.map((edit) => ({ ...edit, file })) })),
	};
}
