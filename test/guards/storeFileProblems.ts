/** The files that open SQLite databases, and the one that asks whether this Node has SQLite at all. */
const openers: readonly string[] = [
	"src/core/store/openDatabase.ts",
	"src/core/store/completeShape.ts",
	"src/core/store/backUp.ts",
	"src/core/store/hostLock.ts",
	"src/core/store/userStore.ts",
	"src/core/store/databaseWorker.ts",
];

/** They name these files to tell them from others, or to say them; what they take from `node:fs` is checked like the rest. */
const tellers: readonly string[] = [
	"src/core/store/ownFiles.ts",
	"src/core/store/setAside.ts",
	"src/core/store/openStore.ts",
];

/** What the store itself may take from `node:fs`: nothing of it opens a file. */
const harmless: readonly string[] = ["existsSync", "mkdirSync", "realpathSync", "rmSync", "lstatSync", "readdirSync"];

/** They give files that nobody has open another name, which opens nothing either. */
const renamers: readonly string[] = ["src/core/store/setAside.ts", "src/core/store/backUp.ts"];

const storeFile = /["\x60/]muster\.db|["'\x60/](?:-wal|-shm)\b|["'\x60/]hosts["'\x60/]|\.lock["'\x60]/;
const comment = /^\s*(?:\/?\*|\/\/)/;
const onlyAsks = /\bexistsSync\(/;

/** Where a source file does with the store's files what only SQLite may. */
export function storeFileProblems(file: string, text: string): string[] {
	return text.split("\n").flatMap((line, index) => {
		if (comment.test(line)) return [];
		return problemsOfLine(file, line).map((problem) => `${file}:${index + 1} ${problem}.`);
	});
}

function problemsOfLine(file: string, line: string): string[] {
	if (file.startsWith("src/core/store/") && /from "node:fs(?:\/promises)?"/.test(line))
		return importProblems(file, line);
	if (openers.includes(file)) return [];
	if (/^import \{.*from "node:sqlite"|\bimport\("node:sqlite"\)|require\("node:sqlite"\)/.test(line)) {
		return ["opens databases"];
	}
	return storeFile.test(line) && !tellers.includes(file) && !onlyAsks.test(line)
		? ["does more with a store's file than ask whether it is there"]
		: [];
}

function importProblems(file: string, line: string): string[] {
	const names = /^import \{(.*)\} from "node:fs";/
		.exec(line)?.[1]
		?.split(",")
		.map((name) => name.trim());
	const wrong = names?.filter(
		(name) => !harmless.includes(name) && !(name === "renameSync" && renamers.includes(file)),
	) ?? ["everything"];
	return wrong.map((name) => `takes ${name} from node:fs, which opens files beside SQLite`);
}
