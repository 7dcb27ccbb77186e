import { unreachable } from "../base/errors.ts";
import type { AgentDefinition } from "./agentDefinition.ts";
import { inFile, type AgentProblem, type LocalFix } from "./agentProblem.ts";
import { locateInFrontmatter, type FrontmatterPlaces } from "./locateInFrontmatter.ts";
import type { AgentClash } from "./mergeAgents.ts";

/** Says of a clash what is used and what can be done, at the name in the file that it is about. */
export async function describeClash(
	clash: AgentClash,
	headOf: (agent: AgentDefinition) => string | undefined,
	isTaken: (name: string) => boolean,
): Promise<AgentProblem> {
	const { kind, used, other } = clash;
	const subject = kind === "import" ? used : other;
	const elsewhere = kind === "import" ? other : used;
	const head = headOf(subject);
	const places = head === undefined ? undefined : await locateInFrontmatter(head);
	const fixes = places === undefined ? [] : findFixes(clash, places, isTaken);
	return inFile(subject.file, {
		...describe(clash),
		...(places?.value(["name"]) ?? places?.fence),
		remedies: [{ kind: "openFile", path: elsewhere.file }],
		...(fixes.length > 0 && { fixes }),
	});
}

function describe({ kind, used, other }: AgentClash): Pick<AgentProblem, "severity" | "code" | "message"> {
	const { name } = used;
	switch (kind) {
		case "duplicate":
			return {
				severity: "error",
				code: "agent.duplicate",
				message: `The agent "${name}" is already defined in ${used.file}, which is used. Give one of them another name.`,
			};
		case "layer":
			return {
				severity: "error",
				code: "agent.clash",
				message: `The agent "${name}" is also defined in ${used.file}, which is used. Add \`override: true\` to use this file instead, or give it another name.`,
			};
		case "dialect":
			return {
				severity: "information",
				code: "agent.shadowed",
				message: `The agent "${name}" is also defined in ${used.file}, which is used instead of this file.`,
			};
		case "import":
			return {
				severity: "information",
				code: "agent.shadows",
				message: `The agent "${name}" is also defined in ${other.file}. In this workspace, this file is used instead.`,
			};
		default:
			return unreachable(kind);
	}
}

/** Only our own files are ours to change. */
function findFixes(
	{ kind, other }: AgentClash,
	places: FrontmatterPlaces,
	isTaken: (name: string) => boolean,
): readonly LocalFix[] {
	if (other.dialect !== "native" || (kind !== "duplicate" && kind !== "layer")) return [];
	const overriding = {
		title: "Use this file instead: add override: true",
		edits: [{ range: places.end, newText: `override: true${places.lineEnd}` }],
	};
	const newText = freeName(other, isTaken);
	const range = places.value(["name"]);
	const renaming = range && { title: `Rename this agent to "${newText}"`, edits: [{ range, newText }] };
	return [...(kind === "layer" ? [overriding] : []), ...(renaming === undefined ? [] : [renaming])];
}

function freeName({ name }: AgentDefinition, isTaken: (name: string) => boolean): string {
	let number = 2;
	while (isTaken(`${name}-${number}`)) number++;
	return `${name}-${number}`;
}
