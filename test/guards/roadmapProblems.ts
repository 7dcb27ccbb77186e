/** Names of files and, after a colon or a comma, of tests in the last file that was named. */
const reference = /`([\w./-]+\.(?:test\.)?ts)(?:: "([^`]+)")?`|`"([^`]+)"`/gu;

/** Which tests a text names that are not there. A file is named by the end of its path; … stands for what is left out. */
export function roadmapProblems(text: string, files: ReadonlyMap<string, string>): string[] {
	return text.split("\n").flatMap((line, index) => {
		let content: string | undefined;
		let name = "";
		return [...line.matchAll(reference)].flatMap(([, file, first, next]) => {
			if (file !== undefined) {
				name = file;
				content = [...files].find(([path]) => path === `test/${file}` || path.endsWith(`/${file}`))?.[1];
				if (content === undefined) return [`line ${index + 1}: there is no ${file}`];
			}
			const test = first ?? next;
			const isThere = test === undefined || content === undefined || occursIn(content, test);
			return isThere ? [] : [`line ${index + 1}: ${name} has no test "${test}"`];
		});
	});
}

function occursIn(content: string, test: string): boolean {
	const code = content.replaceAll(/\\(["'`])/gu, "$1");
	return test.split("…").every((part) => code.includes(part.trim()));
}
