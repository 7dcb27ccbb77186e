const topLevel: readonly string[] = [
	".ci",
	".gitattributes",
	".gitignore",
	".npmrc",
	".oxfmtrc.json",
	".oxlintrc.json",
	".vscodeignore",
	"AGENTS.md",
	"ARCHITECTURE.md",
	"CHANGELOG.md",
	"LICENSE",
	"README.md",
	"SECURITY.md",
	"ROADMAP.md",
	"esbuild.mjs",
	"media",
	"package-lock.json",
	"package.json",
	"src",
	"test",
	"tsconfig.base.json",
	"tsconfig.json",
	"webview",
];

/** A host to install from: which one is used is the business of whoever installs. */
const registryHost =
	/\b(?:registry|npm|pypi|deb|mirrors?)(?:\.[a-z0-9-]+)+\.(?:org|com|net|io|dev|cloud|internal|local)\b/i;

/** A path of somebody's machine, not after a word or a wildcard, where it would be the end of another path. */
const machinePath = /(?<![\w.$~)}\]/*<-])\/(?:work|root|tmp)(?![\w-])/;

/** A note at the start of a comment, an item or a line; not in a string, where it is somebody's data. */
const unfinished = /(?:^|\/\/|\*|#|<!--|-)\s*(?:TODO|FIXME)\b/;
const quoted = /"[^"]*"|'[^']*'|\x60[^\x60]*\x60/g;

/** What a file's text must not say, anywhere in the repository. */
export function textProblems(file: string, text: string): string[] {
	const isSample = file.startsWith("test/fixtures/");
	return text.split("\n").flatMap((line, index) => {
		const at = `${file}:${index + 1}`;
		return [
			...(registryHost.test(line) ? [`${at} names a package registry.`] : []),
			...(machinePath.test(line) ? [`${at} names a path of one machine.`] : []),
			...(!isSample && unfinished.test(line.replace(quoted, "").trim())
				? [`${at} is a note to finish something.`]
				: []),
		];
	});
}

/** Code and styles that are too long to be read in one go. */
export function lengthProblems(file: string, text: string): string[] {
	const isOurs = /^(?:src|webview|test)\/.*\.(?:ts|tsx|js|mjs|css)$/.test(file);
	const lines = text.replace(/\n$/, "").split("\n").length;
	return isOurs && lines > 400 ? [`${file} has ${lines} lines; 400 are allowed.`] : [];
}

/** A lockfile that says where it was made cannot be installed elsewhere. */
export function lockfileProblems(file: string, text: string): string[] {
	return file.endsWith("package-lock.json") && text.includes('"resolved"')
		? [`${file} says where packages come from.`]
		: [];
}

export function topLevelProblems(files: readonly string[]): string[] {
	const entries = new Set(files.map((file) => file.split("/")[0] ?? ""));
	return [...entries].filter((entry) => !topLevel.includes(entry)).map((entry) => `${entry} has no place at the top.`);
}
