/**
 * Every folder of `test/corpus/skills` is a case: a home and a repo with their files as `.txt`, so that no formatter
 * mends them, and what comes of them. What git can't hold is made by `make`.
 */
import { execFileSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { discoverSkills } from "../../../../src/core/skills/discoverSkills.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { skillText } from "./skillText.ts";

const corpus = join(import.meta.dirname, "../../../corpus/skills");

type Made =
	| { readonly link: string; readonly to: string }
	| { readonly mode: string; readonly to: number }
	| { readonly size: string; readonly to: number }
	| { readonly skills: string; readonly to: number }
	| { readonly skill: string }
	| { readonly pipe: string };

interface Case {
	readonly input: string;
	readonly make?: readonly Made[];
	readonly expected: {
		/** Layers by name; `…` stands for so many that are not named. */
		readonly skills: Readonly<Record<string, string | number>>;
		readonly unused: readonly string[];
		readonly problems: readonly string[];
	};
}

describe("discoverSkills on bad input", () => {
	const isRoot = process.getuid?.() === 0;
	for (const id of readdirSync(corpus).toSorted()) {
		const { input, make = [], expected } = JSON.parse(readFileSync(join(corpus, id, "case.json"), "utf8")) as Case;
		// The superuser may read everything.
		it.skipIf(isRoot && id === "S13-permission")(`${id}: ${input}`, { timeout: 30_000 }, async () => {
			const folder = temporaryFolder({ "home/.keep": "", "repo/.keep": "", ...filesOf(join(corpus, id)) });
			for (const made of make) makeIn(folder, made);
			const found = await discoverSkills([
				{ layer: "home", path: join(folder, "home") },
				{ layer: "repo", path: join(folder, "repo") },
			]);
			const from = (path: string) => relative(folder, path);
			const layers = Object.fromEntries(found.skills.map(({ name, layer }) => [name, layer]));
			expect({
				skills: "…" in expected.skills ? { "…": found.skills.length } : layers,
				unused: found.unused.map(({ name, layer, reason, by }) => `${name} ${layer} ${reason} by ${from(by)}`),
				problems: found.problems
					.map(({ severity, code, file, line, column }) =>
						[`${severity} ${code} ${from(file)}`, ...(line === undefined ? [] : [line, column])].join(":"),
					)
					.toSorted(),
			}).toEqual(expected);
			expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
			expect(existsSync("it-ran")).toBe(false);
		});
	}
});

function filesOf(folder: string): Record<string, Uint8Array> {
	const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"));
	return Object.fromEntries(names.map((name) => [name.slice(0, -".txt".length), readFileSync(join(folder, name))]));
}

function makeIn(folder: string, made: Made): void {
	const target = join(folder, String(Object.values(made)[0]));
	mkdirSync(dirname(target), { recursive: true });
	if ("link" in made) symlinkSync(made.to, target);
	else if ("mode" in made) chmodSync(target, made.to);
	else if ("pipe" in made) execFileSync("mkfifo", [target]);
	else if ("size" in made) {
		writeFileSync(target, "");
		truncateSync(target, made.to);
	} else if ("skill" in made) writeSkill(target, "some");
	else for (let index = 1; index <= made.to; index++) writeSkill(join(target, `skill-${index}`), `skill-${index}`);
}

function writeSkill(folder: string, name: string): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "SKILL.md"), skillText(name));
}
