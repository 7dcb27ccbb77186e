import matter from "gray-matter";
import fs from "node:fs";
import path from "node:path";
import * as yaml from "yaml";
import { AgentFileCache } from "../../../src/core/agents/agentFileCache.ts";
import { discoverAgents } from "../../../src/core/agents/discoverAgents.ts";
import { loadFrontmatterParser } from "../../../src/core/agents/frontmatter.ts";
import { knownTools } from "../../../src/core/tools/knownTools.ts";
import { answer, readInput } from "../measure.ts";
import { median } from "../median.ts";

export type Reader = "floor" | "muster" | "matter" | "yaml";

export interface DiscoveryInput {
	readonly reader: Reader;
	/** A home or repo folder. */
	readonly root: string;
	/** Where its agents are. */
	readonly folder: string;
	readonly count: number;
}

export interface Discovered {
	readonly first: number;
	readonly again: number;
}

const { reader, root, folder, count } = readInput<DiscoveryInput>();
const cache = new AgentFileCache();
const readAll = () => fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), "utf8"));

/** Each gives how many agents it has found. */
const discoverers: Readonly<Record<Reader, () => number | Promise<number>>> = {
	floor: () => readAll().length,
	muster: async () => {
		const { agents, problems } = await discoverAgents([{ layer: "repo", path: root }], knownTools, { cache });
		if (problems.length > 0) throw new Error(problems[0]?.message);
		return agents.length;
	},
	matter: () => readAll().filter((text) => "name" in matter(text).data).length,
	yaml: () => readAll().filter((text) => "name" in (yaml.parse(text.split("---\n", 2)[1] ?? "") as object)).length,
};

// Loading a parser is the same for all of them, and no question of how many files there are.
await loadFrontmatterParser();
const first = await time();
const later: number[] = [];
for (let n = 0; n < 5; n++) later.push(await time());
answer({ first, again: median(later) } satisfies Discovered);

async function time(): Promise<number> {
	const start = performance.now();
	const found = await discoverers[reader]();
	const ms = performance.now() - start;
	if (found !== count) throw new Error(`${reader} finds ${found} agents`);
	return ms;
}
