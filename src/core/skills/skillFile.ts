import { basename, dirname, join } from "node:path";
import type { LocalEdit } from "../agents/agentProblem.ts";
import { decodeSource } from "../agents/decodeSource.ts";
import { placeProblems } from "../agents/fieldProblem.ts";
import { type Frontmatter, type FrontmatterParser, loadFrontmatterParser } from "../agents/frontmatter.ts";
import { findHiddenCharacters } from "../agents/hiddenCharacters.ts";
import { placeYamlProblem } from "../agents/placeYamlProblem.ts";
import { prescanText } from "../agents/prescan.ts";
import { applyTextEdits } from "../base/textEdit.ts";
import { quoteFragileValues } from "./quoteFragileValues.ts";
import type { Skill, SkillOrigin } from "./skill.ts";
import { readSkillFields } from "./skillFields.ts";
import { skillFileName } from "./skillPlaces.ts";
import { type SkillProblem, toSkillProblem } from "./skillProblem.ts";

export type ParsedSkill =
	| {
			readonly skill: Skill;
			/** What is below the frontmatter, byte for byte. */
			readonly body: string;
			/** No errors. */
			readonly problems: readonly SkillProblem[];
	  }
	/** Exactly one problem, an error. */
	| { readonly skill?: undefined; readonly problems: readonly SkillProblem[] };

/**
 * Reads a SKILL.md of the Agent Skills format. Never throws, whatever the bytes are. Lenient: what other clients accept
 * loads, with a warning. A file that does not load has one reason, the first that was found. Leaves to `discoverSkills`
 * what takes more than one file.
 */
export async function parseSkillFile(
	origin: SkillOrigin,
	bytes: Uint8Array,
	parser?: FrontmatterParser,
): Promise<ParsedSkill> {
	const { file } = origin;
	const read = await readLeniently(bytes, parser ?? (await loadFrontmatterParser()), file);
	if ("problem" in read) return { problems: [read.problem] };
	const { text, data, body, quotes } = read;
	const hidden = findHiddenCharacters(text);
	if (hidden !== undefined) return { problems: [toSkillProblem(hidden, file)] };

	const result = readSkillFields(data, origin.name);
	if ("error" in result) return { problems: await placeProblems(file, text, [result.error]) };
	return {
		skill: { ...origin, ...result.fields },
		body,
		problems: [
			...(basename(file) === skillFileName ? [] : [describeFileName(file)]),
			...(quotes === undefined ? [] : [describeQuotes(quotes, file)]),
			...(await placeProblems(file, text, result.warnings)),
		],
	};
}

interface ReadText {
	/** As it is on disk. */
	readonly text: string;
	readonly data: unknown;
	readonly body: string;
	/** Had to be made for the frontmatter to be valid. */
	readonly quotes?: readonly LocalEdit[];
}

type Attempt = ReadText | { readonly problem: SkillProblem };

async function readLeniently(bytes: Uint8Array, parse: FrontmatterParser, file: string): Promise<Attempt> {
	const source = decodeSource(bytes);
	if ("problem" in source) return { problem: toSkillProblem(source.problem, file) };
	const { text } = source;
	const attempt = readStrictly(text, parse);
	if (!("problem" in attempt)) return { text, ...attempt };
	const { problem } = attempt;
	const quotes = /^agent\.(?:yaml|alias)$/u.test(problem.code) ? quoteFragileValues(text) : [];
	const again = quotes.length === 0 ? attempt : readStrictly(applyTextEdits(text, quotes), parse);
	if (!("problem" in again)) return { text, ...again, quotes };
	const placed = problem.code === "agent.yaml" ? await placeYamlProblem(problem, text) : problem;
	return { problem: toSkillProblem(placed, file) };
}

function readStrictly(text: string, parse: FrontmatterParser): Frontmatter {
	const scanned = prescanText(text);
	return scanned.isSafe ? parse(scanned.text) : { problem: scanned.problem };
}

function describeQuotes(quotes: readonly LocalEdit[], file: string): SkillProblem {
	return {
		severity: "warning",
		code: "skill.needsQuotes",
		message: "This value is text only when it is in quotes; it was read as if it were. Put quotes around it.",
		file,
		...quotes[0]?.range,
		fixes: [{ title: "Add quotes", edits: quotes.map((edit) => ({ ...edit, file })) }],
	};
}

function describeFileName(file: string): SkillProblem {
	const to = join(dirname(file), skillFileName);
	return {
		severity: "warning",
		code: "skill.fileName",
		message: `The file is named ${basename(file)}; other systems and clients look for ${skillFileName}. Rename it.`,
		file,
		fixes: [{ title: `Rename to ${skillFileName}`, rename: { from: file, to } }],
	};
}
