/**
 * Every folder of `test/corpus/config` is a case: a home and a repo with their files as `.txt`, so that no formatter mends
 * them, and what comes of them. What git can't hold, or should not, is made by `make`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { listMcpServers } from "../../../../src/core/mcp/mcpServers.ts";
import { onDisk } from "./aConfig.ts";

const corpus = join(import.meta.dirname, "../../../corpus/config");

type Made =
	/** `{n}` in a piece's text is its number. */
	| { readonly file: string; readonly pieces: readonly { readonly text: string; readonly times?: number }[] }
	| { readonly link: string; readonly to: string }
	| { readonly folder: string }
	| { readonly pipe: string };

interface Case {
	readonly input: string;
	readonly make?: readonly Made[];
	readonly expected: {
		/** What each server is; `…` stands for so many that are not named. */
		readonly servers: Readonly<Record<string, string | number>>;
		readonly problems: readonly string[];
	};
}

describe("the configuration on bad input", () => {
	for (const id of readdirSync(corpus)
		.filter((name) => /^T\d/u.test(name))
		.toSorted()) {
		const { input, make = [], expected } = JSON.parse(readFileSync(join(corpus, id, "case.json"), "utf8")) as Case;
		it(`${id}: ${input}`, async () => {
			const { folder, config } = await onDisk(filesOf(join(corpus, id)), (created) => {
				for (const made of make) makeIn(created, made);
				return {};
			});
			const servers = listMcpServers(config, {}).map(
				({ name, type, provenance, needsConsent, isUsable }) =>
					[
						name,
						[provenance.layer, type, needsConsent && "asks", !isUsable && "off"].filter(Boolean).join(" "),
					] as const,
			);
			expect({
				servers: "…" in Object(expected.servers) ? { "…": servers.length } : Object.fromEntries(servers),
				problems: config.problems.map(({ severity, code, file, line, column }) =>
					[`${severity} ${code} ${relative(folder, file)}`, ...(line === undefined ? [] : [line, column])].join(":"),
				),
			}).toEqual(expected);
			expect(JSON.stringify([servers, config.problems])).not.toMatch(/sk-aaa|hunter2|abcdef/u);
			expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
		});
	}
});

function filesOf(folder: string): Record<string, Uint8Array> {
	const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"));
	return Object.fromEntries(names.map((name) => [name.slice(0, -".txt".length), readFileSync(join(folder, name))]));
}

function makeIn(folder: string, made: Made): void {
	const [target = ""] = Object.values(made).map((path) => (typeof path === "string" ? join(folder, path) : ""));
	mkdirSync(dirname(target), { recursive: true });
	if ("pieces" in made) writeFileSync(target, made.pieces.map(repeat).join(""));
	else if ("link" in made) symlinkSync(made.to, target);
	else if ("folder" in made) mkdirSync(target);
	else execFileSync("mkfifo", [target]);
}

function repeat({ text, times = 1 }: { readonly text: string; readonly times?: number }): string {
	if (!text.includes("{n}")) return text.repeat(times);
	return Array.from({ length: times }, (_, index) => text.replace("{n}", String(index))).join("");
}
