import { messageOf } from "../base/errors.ts";
import type { TextProblem } from "./agentProblem.ts";
import { frontmatterLimits } from "./prescan.ts";

export type Frontmatter = { readonly data: unknown; readonly body: string } | { readonly problem: TextProblem };

/** Splits a text that `prescan` found safe. The body is everything after the closing fence and its line break. */
export type FrontmatterParser = (text: string) => Frontmatter;

/** Splits one text. Whoever has many loads the parser once. */
export async function parseFrontmatter(text: string): Promise<Frontmatter> {
	return (await loadFrontmatterParser())(text);
}

/** Loads gray-matter and js-yaml, so that a window without agent files never pays for them. */
export async function loadFrontmatterParser(): Promise<FrontmatterParser> {
	const [{ default: matter }, yaml] = await Promise.all([import("gray-matter"), import("js-yaml")]);
	// Decimal numbers only: `0x10` and `.inf` stay text, which no number field accepts.
	const schema = new yaml.Schema([
		yaml.strTag,
		yaml.seqTag,
		yaml.mapTag,
		yaml.nullCoreTag,
		yaml.boolCoreTag,
		yaml.intJsonTag,
		yaml.floatJsonTag,
	]);
	const read = (source: string) =>
		yaml.load(source, { schema, maxAliases: 0, maxDepth: frontmatterLimits.depth }) as object;
	const refuse = () => {
		throw new Error("frontmatter is YAML; no other language is read");
	};
	const options = { language: "yaml", engines: { yaml: read, javascript: refuse, json: refuse } };
	return (text) => {
		try {
			const { data, content } = matter(text, options);
			return { data, body: content };
		} catch (error) {
			return { problem: describeYamlError(error instanceof yaml.YAMLException ? error : undefined, error) };
		}
	};
}

interface MarkedError {
	readonly reason: string;
	readonly mark?: { readonly line: number; readonly column: number };
}

function describeYamlError(marked: MarkedError | undefined, error: unknown): TextProblem {
	const mark = marked?.mark;
	return {
		severity: "error",
		code: "agent.yaml",
		message: `The frontmatter is not valid YAML: ${marked?.reason ?? messageOf(error)}.`,
		// gray-matter hands over the end of the opening line too: its line 0 is the file's line 1.
		...(mark !== undefined && { line: mark.line + 1, column: mark.column + 1 }),
	};
}
