import fs from "node:fs";
import path from "node:path";
import type { BenchOptions, Figure } from "../figures.ts";
import { type Contestant, measure } from "../measure.ts";
import { withTemporaryFolder } from "../temporaryFolder.ts";
import type { Discovered, DiscoveryInput, Reader } from "./discoveryProcess.ts";

const readers: Readonly<Record<Reader, Pick<Figure, "contestant" | "role">>> = {
	floor: { contestant: "readdir + readFile", role: "floor" },
	muster: { contestant: "Muster", role: "muster" },
	matter: { contestant: "readdir + readFile + gray-matter", role: "peer" },
	yaml: { contestant: "readdir + readFile + yaml", role: "peer" },
};

/** Reading the agent files at a spawn: the first of a process, and every one after it while nothing has changed. */
export function benchDiscovery({ isQuick }: BenchOptions): Promise<Figure[]> {
	const count = isQuick ? 50 : 1_000;
	return withTemporaryFolder(async (root) => {
		const folder = path.join(root, ".agents/agents");
		fs.mkdirSync(folder, { recursive: true });
		for (let n = 0; n < count; n++) fs.writeFileSync(path.join(folder, `agent-${n}.md`), agentFile(n));
		const names = Object.keys(readers) as Reader[];
		const contestants = names.map((reader): Contestant<DiscoveryInput> => {
			return { name: reader, input: { reader, root, folder, count } };
		});
		const script = new URL("discoveryProcess.ts", import.meta.url);
		const results = await measure<DiscoveryInput, Discovered>(script, contestants, { rounds: isQuick ? 1 : 7 });
		return (["first", "again"] as const).flatMap((moment) =>
			names.map((name) => ({
				...readers[name],
				measure: `${count.toLocaleString("en")} agent files, ${moment}`,
				unit: "ms",
				samples: (results.get(name) ?? []).map((times) => times[moment]),
			})),
		);
	});
}

/** 2 KB, as written files are. */
function agentFile(n: number): string {
	const head = [
		"---",
		`name: agent-${n}`,
		"description: >-",
		`  Use this agent when the change touches area ${n} and a second`,
		"  pair of eyes is wanted: it reads, it never writes.",
		"tools: [read_file, grep, glob]",
		`maxTurns: ${10 + (n % 40)}`,
		"---",
	];
	const rule = "Read the files named in the task. Quote what you rely on. Answer in order of weight.";
	return `${[...head, "", ...Array.from({ length: 20 }, () => rule)].join("\n")}\n`;
}
