/** Providers that fall silent in the middle of a whole run: the cells of models/providerFaults that only a watchdog ends. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { Model, ModelProvider } from "../../../../src/core/models/modelPort.ts";
import { ModelRegistry } from "../../../../src/core/models/modelRegistry.ts";
import { Consents } from "../../../../src/shell/adapters/lmConsents.ts";
import type { LmPart } from "../../../../src/shell/adapters/lmMessages.ts";
import { streamLm } from "../../../../src/shell/adapters/lmStream.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { speakGemini } from "../../../fakes/geminiSpeech.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { type ScriptedReply, speak, startModelServer } from "../../../fakes/modelServer.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { aProvider, wires } from "../models/askWire.ts";
import { spoken } from "../models/faultCells.ts";

type Wire = (typeof wires)[number] | "google";

/** A provider of these requests, and how many came. */
interface Source {
	readonly provider: ModelProvider;
	readonly count: () => number;
}

async function aServer(wire: Wire, reply: ScriptedReply): Promise<Source> {
	const server = await startModelServer({ script: () => reply });
	onTestFinished(() => server.close());
	const provider = aProvider({ wire, baseUrl: server.url });
	return { provider, count: () => server.requests.length };
}

/** A model of VS Code that says these parts, and then no more, whatever becomes of its request. */
function anEditorModel(parts: readonly LmPart[] | "deaf"): Source {
	let requests = 0;
	async function* say(): AsyncGenerator<LmPart> {
		yield* parts === "deaf" ? [] : parts;
		await new Promise(() => undefined);
	}
	const chat = {
		name: "copilot/gpt-x",
		countTokens: () => Promise.resolve(3),
		async send() {
			requests++;
			return parts === "deaf" ? await new Promise<never>(() => undefined) : say();
		},
		cancel: () => undefined,
	};
	const source = { open: () => Promise.resolve(chat), codeOf: () => undefined, consents: new Consents() };
	const model = (name: string): Model => ({
		ref: `test/${name}`,
		label: name,
		stream: (request) => streamLm(source, request),
	});
	return { provider: { id: "test", label: "Test", model }, count: () => requests };
}

/** Pieces of the answer until before the last event that has this text. */
const until = (wire: Wire, sign: string) => {
	const events = wire === "google" ? speakGemini({ text: ["One ", "two"] }) : speak(wire, spoken);
	return events.slice(
		0,
		events.findIndex((event) => event.includes(sign)),
	);
};
const comments = Array.from({ length: 20 }, () => ": keep-alive\n\n");
const silent = "The model did not begin to answer in time.";
const broken = "The model fell silent in the middle of its answer.";

interface Stall {
	readonly name: string;
	readonly open: () => Source | Promise<Source>;
	/** What is said before. */
	readonly said: string;
}

const overHttp = ([...wires, "google"] as const).flatMap((wire): Stall[] => {
	const stall = (name: string, reply: ScriptedReply, said: string): Stall => ({
		name: `${name} in the dialect ${wire}`,
		open: () => aServer(wire, { ending: "hang", ...reply }),
		said,
	});
	const input = wire === "google" ? [] : [stall("inside a call's input", { body: until(wire, '"}"') }, "One two")];
	return [
		stall("before the head", { before: "hang" }, ""),
		stall("with comments only", { body: comments }, ""),
		stall("in the text", { body: [...until(wire, "two"), ...comments] }, "One "),
		...input,
	];
});
const text = { type: "text", text: "One " } as const;
const inEditor: readonly Stall[] = [
	{ name: "before anything of a VS Code model", open: () => anEditorModel("deaf"), said: "" },
	{ name: "after the head of a VS Code model", open: () => anEditorModel([]), said: "" },
	{ name: "in the text of a VS Code model", open: () => anEditorModel([text]), said: "One " },
	{
		name: "after a call of a VS Code model",
		open: () => anEditorModel([text, { type: "call", id: "1", name: "read_file", input: { path: "notes.txt" } }]),
		said: "One ",
	},
];

describe("a provider that stalls", () => {
	it.each([...overHttp, ...inEditor])(
		"$name has its run ended after the limit, with what was said and no call",
		async ({ open, said }) => {
			const { provider, count } = await open();
			const clock = new ManualClock();
			const models = new ModelRegistry([provider], "test/gpt-test");
			const runtime = await aRuntime(new ScriptedModel(), { clock, models });
			const answer = await runtime.spawn({ agent: "scout", task: "Look", runTimeoutSeconds: 0 });
			if (!answer.accepted) throw new Error(answer.error);
			const { runId } = answer;
			await expect.poll(count).toBe(1);
			const read = async (kind: string) => {
				const run = runtime.runs.get(runId);
				const entries = run ? await runtime.transcripts.read(run, 0, 100) : [];
				return entries.flatMap((each) => (each.kind === kind ? [each.text] : [])).join("");
			};
			const hear = () => {
				// Streamed text is written a moment later: time passes in small steps until it is there.
				clock.advance(100);
				return read("text");
			};
			await expect.poll(hear).toBe(said);
			expect(runtime.runs.get(runId)).toMatchObject({ state: "running" });
			clock.advance(said === "" ? 1_800_000 : 120_000);
			const run = await untilRun(runtime, runId, hasEnded);
			expect(run).toMatchObject({ state: "timeout", error: said === "" ? silent : broken });
			expect([await read("text"), await read("tool_call"), count()]).toEqual([said, "", 1]);
		},
	);
});
