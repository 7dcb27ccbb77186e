/**
 * Every file of `test/corpus/spawn` is a row of the research's corpus of spawn parameters (P01 to P12), and of how a role is found (S0-06 to S0-08): what is asked, and
 * what is answered and kept. `decision` says where and why the specification decides otherwise than the research.
 * Elsewhere: P10 in flows/mainAgent, P13 in flows/acceptanceSeeds, P15 to P20 with the tools. P11 was dropped, P14 is of plan mode.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Requester } from "../../../../src/core/spawn/spawnContext.ts";
import { anAgentFile, aRuntime } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder, withFiles, withLinks } from "../../../fakes/temporaryFolder.ts";

const corpus = path.join(import.meta.dirname, "../../../corpus/spawn");

interface Case {
	readonly what: string;
	readonly request: unknown;
	/** An agent asks, whose session stands so deep; else a person does. */
	readonly depth?: number;
	/** Of its texts, `error` and `warning` need only be part. */
	readonly answer: Readonly<Record<string, unknown>>;
	/** What is kept of the run. */
	readonly run?: Readonly<Record<string, unknown>>;
}

describe("the corpus of spawn parameters", () => {
	it.each(readdirSync(corpus).toSorted())("comes out as written down: %s", async (file) => {
		const { cases } = JSON.parse(readFileSync(path.join(corpus, file), "utf8")) as { cases: readonly Case[] };
		const { runtime, places } = await aWorkspace();
		const accepted: string[] = [];
		for (const { what, request, depth, answer, run } of cases) {
			const requester = depth === undefined ? [] : [anAgent(depth)];
			const answered = await runtime.spawn(fill(request, places), ...requester);
			expect.soft(answered, what).toMatchObject(loosen(answer));
			if (answered.accepted) accepted.unshift(answered.runId);
			const kept = answered.accepted ? runtime.runs.get(answered.runId) : {};
			expect.soft(kept, what).toMatchObject(fill(run ?? {}, places) as object);
			// What was refused has left no record.
			expect
				.soft(
					runtime.runs
						.list()
						.map(({ id }) => id)
						.toSorted(),
					what,
				)
				.toEqual(accepted.toSorted());
		}
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});
});

async function aWorkspace() {
	const outside = temporaryFolder();
	const files = {
		".agents/agents/scout.md": anAgentFile("scout"),
		".agents/agents/hidden.md": anAgentFile("hidden", "visibility: internal\n"),
		".github/agents/reader.agent.md": anAgentFile("reader", "disable-model-invocation: true\n"),
		"notes.txt": "seven\n",
		"sub/notes.txt": "eight\n",
	};
	const folder = temporaryFolder({ "repo-beside/notes.txt": "nine\n" });
	const repo = path.join(folder, "repo");
	withLinks(withFiles(repo, files), { out: outside, in: "sub" });
	const runtime = await aRuntime(new ScriptedModel(), { repoFolder: repo });
	return { runtime, places: { "{repo}": repo, "{outside}": outside } };
}

function anAgent(depth: number): Requester {
	const session = { ...aSession("agent:main:chat-1", "main"), depth };
	return { session, runId: null, isPerson: false };
}

function loosen(answer: Case["answer"]): object {
	const parts = ["error", "warning"].filter((name) => name in answer);
	return {
		...answer,
		...Object.fromEntries(parts.map((name) => [name, expect.stringContaining(String(answer[name]))])),
	};
}

/** Puts in what JSON can't hold, or should not. */
function fill(value: unknown, places: Readonly<Record<string, string>>): unknown {
	if (typeof value === "string") {
		return Object.entries(places).reduce((text, [name, place]) => text.replaceAll(name, place), value);
	}
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map((item) => fill(item, places));
	const made = value as Readonly<Record<string, unknown>>;
	if (typeof made["$repeat"] === "string") return made["$repeat"].repeat(Number(made["times"]));
	if ("$number" in made) return Number(made["$number"]);
	if ("$json" in made) return JSON.parse(String(made["$json"])) as unknown;
	const { $keys: keys = 0, ...rest } = made;
	const more = Array.from({ length: Number(keys) }, (_, index) => [`key${index}`, index] as const);
	return Object.fromEntries([
		...Object.entries(rest).map(([name, item]) => [name, fill(item, places)] as const),
		...more,
	]);
}
