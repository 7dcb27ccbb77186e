import { basename } from "node:path";
import type * as z from "zod";
import { nearestName } from "../base/nearestName.ts";
import { AgentFields, longestTimerSeconds } from "./agentFields.ts";
import { toAgentName } from "./agentName.ts";
import { findToolProblems } from "./agentToolProblems.ts";
import type { AgentVocabulary } from "./agentVocabulary.ts";
import { isRecord, type FieldProblem } from "./fieldProblem.ts";
import type { FrontmatterPath } from "./locateInFrontmatter.ts";

/** Keys of other dialects that would widen what an agent may do. */
const forbiddenKeys: ReadonlySet<string> = new Set(["permissionMode", "hooks", "autoApprove"]);
const timers = ["timeoutSeconds", "runTimeoutSeconds"];

/** Everything there is to say about the fields: what the schema refused, and what it can't know. */
export function findFieldProblems(
	data: unknown,
	issues: readonly z.core.$ZodIssue[],
	vocabulary: AgentVocabulary,
	file: string,
): readonly FieldProblem[] {
	const refused = issues.flatMap((issue) => describeIssue(issue, data, file));
	if (!isRecord(data)) return refused;
	return [
		...refused,
		...findLongTimers(data),
		...findToolProblems(data, vocabulary),
		...(refused.some(({ path }) => path[0] === "model") ? [] : findModelProblem(data["model"], vocabulary)),
		...findIsolationProblem(data["isolation"]),
	];
}

function describeIssue(issue: z.core.$ZodIssue, data: unknown, file: string): FieldProblem[] {
	const { path } = issue;
	const [field] = path;
	if (issue.code === "unrecognized_keys") return issue.keys.map((key) => describeKey(key, path));
	if (typeof field !== "string") {
		const message = "The frontmatter must be lines of the form `field: value`, beginning with name and description.";
		return [{ severity: "error", code: "agent.frontmatter", message, path }];
	}
	if (isRecord(data) && !Object.hasOwn(data, field)) return [describeMissing(field, file)];
	const value = path.reduce<unknown>((inner, key) => Object(inner)[key], data);
	const shown = (JSON.stringify(value) ?? "nothing").slice(0, 60);
	const message = `"${path.join(".")}" ${issue.message}; it is ${shown}.`;
	const meant =
		issue.code === "invalid_value" && typeof value === "string"
			? nearestName(value, issue.values.map(String))
			: undefined;
	return [
		{ severity: "error", code: "agent.field", message, path, ...(meant !== undefined && replacing(path, meant)) },
	];
}

/** What a field that is missing could be, so that the file loads and its author sees what to write there. */
function describeMissing(field: string, file: string): FieldProblem {
	const ownName = toAgentName(basename(file, ".md")) ?? "my-agent";
	const example = field === "name" ? ownName : "Use when someone has to …";
	return {
		severity: "error",
		code: "agent.missingField",
		message: `"${field}" is missing. Add it.`,
		path: [],
		fixes: ({ end, lineEnd }) => [
			{ title: `Add "${field}"`, edits: [{ range: end, newText: `${field}: ${example}${lineEnd}` }] },
		],
	};
}

function describeKey(key: string, parent: FrontmatterPath): FieldProblem {
	const path = [...parent, key];
	if (parent.length > 0) {
		const message = `There is no field "${key}" in "${parent.join(".")}". Remove it.`;
		return { severity: "error", code: "agent.unknownKey", message, path, part: "key" };
	}
	if (forbiddenKeys.has(key)) {
		const message = `"${key}" can't be set in an agent file: the user's settings decide what agents may do. Remove it.`;
		return { severity: "error", code: "agent.forbiddenKey", message, path, part: "key", ...removing(key) };
	}
	const nearest = nearestName(key, Object.keys(AgentFields.shape));
	const advice = nearest === undefined ? "Remove it." : `Did you mean "${nearest}"?`;
	return {
		severity: "error",
		code: "agent.unknownKey",
		message: `There is no field "${key}". ${advice}`,
		path,
		part: "key",
		...(nearest === undefined ? removing(key) : replacing(path, nearest, "key")),
	};
}

function findLongTimers(data: Readonly<Record<string, unknown>>): FieldProblem[] {
	return timers
		.filter((field) => typeof data[field] === "number" && data[field] > longestTimerSeconds)
		.map((field) => ({
			severity: "warning",
			code: "agent.longTimer",
			message: `"${field}" is more than a day; ${longestTimerSeconds} is used. For no limit, write 0.`,
			path: [field],
		}));
}

export function findModelProblem(model: unknown, { isKnownModel }: AgentVocabulary): FieldProblem[] {
	if (typeof model !== "string" || isKnownModel === undefined || isKnownModel(model)) return [];
	const message = `There is no model "${model}" here now. Until there is one, another runs in its place, and the run says so.`;
	return [{ severity: "warning", code: "agent.unknownModel", message, path: ["model"] }];
}

export function findIsolationProblem(isolation: unknown): FieldProblem[] {
	if (isolation !== "worktree") return [];
	const message =
		"Working in a git worktree of its own is not in this version: the agent works in the folder itself, as with `isolation: none`.";
	return [{ severity: "warning", code: "agent.isolation", message, path: ["isolation"] }];
}

function replacing(
	path: FrontmatterPath,
	newText: string,
	part: "key" | "value" = "value",
): Pick<FieldProblem, "fixes"> {
	return {
		fixes: (places) => {
			const range = places[part](path);
			return range === undefined ? [] : [{ title: `Change to "${newText}"`, edits: [{ range, newText }] }];
		},
	};
}

function removing(key: string): Pick<FieldProblem, "fixes"> {
	return {
		fixes: ({ entry }) => {
			const range = entry(key);
			return range === undefined ? [] : [{ title: `Remove "${key}"`, edits: [{ range, newText: "" }] }];
		},
	};
}
