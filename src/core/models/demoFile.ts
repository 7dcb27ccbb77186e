/** What the demo model notices in a file that it has read. */
export interface DemoFile {
	readonly path: string;
	readonly lineCount: number;
	/** Whether there was more than was shown. */
	readonly hasMore: boolean;
	/** Of a Markdown document. */
	readonly headings: readonly string[];
	/** What the file offers to others. */
	readonly names: readonly string[];
	/** Comments that ask for work. */
	readonly todos: readonly { readonly line: number; readonly text: string }[];
	/** Of a package.json. */
	readonly scripts: readonly string[];
}

const definition =
	/^\s*(?:export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|const|let|interface|type|enum)|(?:pub(?:\([a-z]+\))?\s+)?(?:fn|struct|trait)|func|def|class)\s+(\w+)/u;
const shownLine = /^\s*(\d+)\t(.*)$/u;

const sourceEnding = /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|c|cc|cpp|h|swift|vue|svelte)$/u;
const testPath = /(?:^|[/._-])(?:test|tests|spec|__tests__)(?:[/._-]|$)/u;

/** Whether it is source code, and not a test of it. */
export function isProgramPath(path: string): boolean {
	return sourceEnding.test(path) && !testPath.test(path);
}

/** `shown` is what the tool gave back: each line as its number, a tab and its text. */
export function describeFile(path: string, shown: string): DemoFile {
	const lines = shown.split("\n").flatMap((line) => {
		const [, number, text] = shownLine.exec(line) ?? [];
		return number === undefined ? [] : [{ line: Number(number), text: text ?? "" }];
	});
	const texts = lines.map(({ text }) => text);
	return {
		path,
		lineCount: lines.length,
		hasMore: /\n\[More lines follow\..*\]\s*$/u.test(shown),
		headings: /\.mdx?$/iu.test(path) ? readHeadings(texts) : [],
		names: texts.flatMap((text) => definition.exec(text)?.[1] ?? []),
		todos: lines.flatMap(({ line, text }) => {
			const todo = /\b(?:TODO|FIXME|XXX|HACK)\b.*$/u.exec(text);
			return todo === null ? [] : [{ line, text: todo[0] }];
		}),
		scripts: /(?:^|\/)package\.json$/u.test(path) ? readScripts(texts.join("\n")) : [],
	};
}

function readHeadings(texts: readonly string[]): string[] {
	let isCode = false;
	return texts.flatMap((text) => {
		if (text.startsWith("```")) isCode = !isCode;
		return isCode ? [] : (/^#{1,3}\s+(.+?)\s*#*$/u.exec(text)?.[1] ?? []);
	});
}

function readScripts(json: string): string[] {
	try {
		const { scripts } = Object(JSON.parse(json)) as { scripts?: unknown };
		return Object.keys(Object(scripts));
	} catch (error) {
		// Half a package.json was shown, or it is broken: then it has no scripts to tell of.
		if (error instanceof SyntaxError) return [];
		throw error;
	}
}
