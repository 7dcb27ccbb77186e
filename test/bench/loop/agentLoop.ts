import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { BenchOptions, Figure } from "../figures.ts";
import { installPeers } from "../installPeers.ts";
import { type Contestant, measure } from "../measure.ts";
import type { LoopInput, LoopOutput } from "./agentLoopProcess.ts";

interface Entrant extends Pick<Figure, "contestant" | "role"> {
	readonly module: string;
}

/** What an agent costs while it works: processor time while text streams and tools are called, and memory. */
export async function benchAgentLoop({ isQuick }: BenchOptions): Promise<Figure[]> {
	const entrants = listEntrants(await installPeers());
	const server = fork(new URL("streamServer.ts", import.meta.url));
	try {
		const [port] = (await once(server, "message")) as [number];
		const input = { baseUrl: `http://127.0.0.1:${port}/v1`, isQuick };
		return [...(await benchCpu(entrants, input)), ...(await benchHeap(entrants, input))];
	} finally {
		await stop(server);
	}
}

function listEntrants(peers: string | undefined): Entrant[] {
	const own = (name: string) => new URL(name, import.meta.url).href;
	const ours: Entrant[] = [
		{ contestant: "node:http, read by hand", role: "floor", module: own("floor.ts") },
		{ contestant: "Muster: port, loop, dispatch", role: "muster", module: own("muster.ts") },
	];
	if (peers === undefined) return ours;
	const peer = (contestant: string, file: string): Entrant => {
		return { contestant, role: "peer", module: pathToFileURL(path.join(peers, file)).href };
	};
	return [...ours, peer("openai 7.55.0, own loop", "openai.mjs"), peer("ai 7.0.170, streamText", "aiSdk.mjs")];
}

type Common = Pick<LoopInput, "baseUrl" | "isQuick">;

async function benchCpu(entrants: readonly Entrant[], common: Common): Promise<Figure[]> {
	const outputs = await run("cpu", entrants, common, []);
	return [
		...figures("CPU per streamed chunk", "µs", entrants, outputs, ({ usPerChunk }) => usPerChunk),
		...figures("CPU per tool round", "ms", entrants, outputs, ({ msPerRound }) => msPerRound),
	];
}

async function benchHeap(entrants: readonly Entrant[], common: Common): Promise<Figure[]> {
	const outputs = await run("heap", entrants, common, ["--expose-gc"]);
	const agents = [...outputs.values()].flat()[0]?.agents ?? 0;
	return figures(`heap per agent, ${agents} live`, "KB", entrants, outputs, ({ heapKB }) => heapKB);
}

function run(kind: LoopInput["kind"], entrants: readonly Entrant[], common: Common, flags: readonly string[]) {
	const contestants = entrants.map(({ contestant, module }): Contestant<LoopInput> => ({
		name: contestant,
		input: { ...common, kind, module },
	}));
	const script = new URL("agentLoopProcess.ts", import.meta.url);
	const rounds = common.isQuick ? 1 : kind === "cpu" ? 5 : 3;
	return measure<LoopInput, LoopOutput>(script, contestants, { rounds, flags });
}

function figures(
	name: string,
	unit: string,
	entrants: readonly Entrant[],
	outputs: ReadonlyMap<string, readonly LoopOutput[]>,
	read: (output: LoopOutput) => number,
): Figure[] {
	return entrants.map(({ contestant, role }) => {
		return { measure: name, contestant, role, unit, samples: (outputs.get(contestant) ?? []).map(read) };
	});
}

async function stop(server: ChildProcess): Promise<void> {
	server.disconnect();
	if (server.exitCode === null) await once(server, "exit");
}
