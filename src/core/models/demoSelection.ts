import type { DemoConversation } from "./demoConversation.ts";
import { isProgramPath } from "./demoFile.ts";
import type { DemoFindings, DemoListing } from "./demoFindings.ts";

const most = 3;

/** Tell what a project is, the best first. */
const tellingFiles = [/^readme(?:\.\w+)?$/iu, /^(?:package\.json|pyproject\.toml|cargo\.toml|go\.mod|pom\.xml)$/iu];
const sourceFolders = ["src", "lib", "app", "source", "packages"];
const entryFile = /(?:^|\/)(?:index|main|app|cli|lib|mod|server)\.\w+$/u;

/** The files to read first: those that the task names, else those that tell what the project is. */
export function chooseFiles(
	conversation: DemoConversation,
	findings: DemoFindings,
	guesses: readonly string[],
): readonly string[] {
	const named = findNamed(conversation, findings);
	if (named.length > 0) return named;
	const root = findings.listings.find(({ path }) => path === ".");
	if (root === undefined) return guesses;
	return tellingFiles.flatMap((pattern) => root.files.filter((name) => pattern.test(name)).slice(0, 1));
}

/** The folder to look into: one that the task names, else the one with the sources. */
export function chooseFolder({ tasks }: DemoConversation, { listings }: DemoFindings): string | undefined {
	const folders = listings.find(({ path }) => path === ".")?.folders ?? [];
	const named = new Set(tasks.flatMap(({ text }) => text.split(/[^\w.-]+/u)));
	return folders.find((folder) => named.has(folder)) ?? sourceFolders.find((folder) => folders.includes(folder));
}

/** The sources to read then: those with most matches, then where the program begins, then the others as they are listed. */
export function chooseSources(conversation: DemoConversation, { listings, searches }: DemoFindings): readonly string[] {
	const counts = new Map<string, number>();
	for (const { path } of searches.flatMap(({ matches }) => matches)) counts.set(path, (counts.get(path) ?? 0) + 1);
	const matched = [...counts].toSorted(([, one], [, other]) => other - one).map(([path]) => path);
	// What was listed last is nearest to the sources.
	const listed = listings.toReversed().flatMap(pathsOf);
	const candidates = [...matched, ...listed.filter((path) => entryFile.test(path)), ...listed].filter(isProgramPath);
	return [...new Set([...findNamed(conversation, { listings }), ...candidates])].slice(0, most);
}

/** The task's paths as they are on disk, as far as that is known; case does not count. */
function findNamed({ tasks }: DemoConversation, { listings }: Pick<DemoFindings, "listings">): string[] {
	const listed = listings.flatMap(pathsOf);
	const root = listings.find(({ path }) => path === ".");
	const found = tasks
		.flatMap(({ paths }) => paths)
		.flatMap((path) => {
			const wanted = path.toLowerCase();
			const same = listed.find((other) => other.toLowerCase() === wanted);
			const [folder = ""] = path.split("/", 1);
			const isPlausible = root === undefined || (path.includes("/") && root.folders.includes(folder));
			return same ?? listed.find((other) => other.toLowerCase().endsWith(`/${wanted}`)) ?? (isPlausible ? path : []);
		});
	return [...new Set(found)].slice(0, most);
}

function pathsOf({ path, files }: DemoListing): string[] {
	return files.map((name) => (path === "." ? name : `${path}/${name}`));
}
