/**
 * No process that has a store open may open its files otherwise: closing any descriptor of them drops SQLite's locks, and
 * then committed rows vanish. SQLite itself is opened in a few places; nobody else touches these files.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../vscode/paths.ts";
import { projectFiles } from "./projectFiles.ts";
import { storeFileProblems } from "./storeFileProblems.ts";

/** What gives entries with their text, or the places where it matched. */
const entryStatement =
	/[`"]SELECT [^`"]*(?:\$\{columns\}|\btext\b|snippet)[^`"]*\bFROM entry(?:_search)?\b[^`"]*[`"]/gu;
const sources = projectFiles().filter((file) => /^src\/.*\.ts$/.test(file));

describe("the store's files", () => {
	it("are opened by SQLite alone, in the places that are made for it", () => {
		expect(sources.length).toBeGreaterThan(100);
		const problems = sources.flatMap((file) =>
			storeFileProblems(file, readFileSync(path.join(projectRoot, file), "utf8")),
		);
		expect(problems).toEqual([]);
	});
});

describe("a transcript", () => {
	it("is read page by page: every statement that reads its entries has a limit", () => {
		const statements = sources
			.filter((file) => file.startsWith("src/core/store/"))
			.flatMap((file) => readFileSync(path.join(projectRoot, file), "utf8").match(entryStatement) ?? []);
		expect(statements.length).toBeGreaterThanOrEqual(3);
		expect(statements.filter((statement) => !statement.includes("LIMIT :limit"))).toEqual([]);
		expect("`SELECT seq, text FROM entry WHERE session_id = :sessionId`".match(entryStatement)).toHaveLength(1);
	});
});

describe("their guard", () => {
	it.for([
		[
			'const bytes = readFileSync(path.join(folder, "muster.db"));',
			"does more with a store's file than ask whether it is there",
		],
		["copyFileSync(`${folder}/muster.db`, backup);", "does more with a store's file than ask whether it is there"],
		['const wal = path.join(folder, "muster.db-wal");', "does more with a store's file than ask whether it is there"],
		[
			'for (const lock of readdirSync(path.join(folder, "hosts"))) open(lock);',
			"does more with a store's file than ask whether it is there",
		],
		['import { DatabaseSync } from "node:sqlite";', "opens databases"],
		['const sqlite = await import("node:sqlite");', "opens databases"],
	])("finds out %s", ([line = "", problem = ""]) => {
		expect(storeFileProblems("src/shell/backup.ts", `first();\n${line}\n`)).toEqual([
			`src/shell/backup.ts:2 ${problem}.`,
		]);
	});

	it.for([
		'return existsSync(path.join(folder, "muster.db"));',
		"\t/** The folder with `muster.db`, which need not be there. */",
		'import type { DatabaseSync } from "node:sqlite";',
		'if (isBuiltin("node:sqlite")) return;',
	])("lets pass %s", (line) => {
		expect(storeFileProblems("src/shell/backup.ts", line)).toEqual([]);
	});

	it("lets nothing but an import of a few functions of node:fs into the store itself", () => {
		const file = "src/core/store/openDatabase.ts";
		expect(storeFileProblems(file, 'import { mkdirSync } from "node:fs";')).toEqual([]);
		expect(storeFileProblems(file, 'import { mkdirSync, openSync } from "node:fs";')).toEqual([
			`${file}:1 takes openSync from node:fs, which opens files beside SQLite.`,
		]);
		const renames = 'import { existsSync, renameSync } from "node:fs";';
		expect(storeFileProblems("src/core/store/setAside.ts", renames)).toEqual([]);
		expect(storeFileProblems(file, renames)).toHaveLength(1);
		expect(storeFileProblems(file, 'import { readFile } from "node:fs/promises";')).toHaveLength(1);
		expect(storeFileProblems(file, 'import * as fs from "node:fs";')).toHaveLength(1);
	});
});
