import { once } from "node:events";
import { messageOf } from "../base/errors.ts";
import type { Clock } from "../ports/clock.ts";
import { decideTurn } from "./demoDecision.ts";
import { type DemoScript, findScriptedTurn } from "./demoScript.ts";
import type { DemoTurn } from "./demoTurn.ts";
import type { FinishReason, Model, ModelPart, ModelProvider, ModelRequest, ModelUsage } from "./modelPort.ts";

export interface DemoOptions {
	/** `human`: a moment of thought, then about 25 words a second. `off`: as fast as it is read. */
	readonly pace: "human" | "off";
	readonly clock: Clock;
	/** What to say instead, for tests. */
	readonly script?: DemoScript;
}

const humanDelayMs = 40;
/** A real model takes a moment before it speaks; so people see what the last tool was. */
const humanThoughtMs = 800;
const charactersPerToken = 4;

/**
 * A model inside Muster, so that everything can be tried without an account and without a network. It makes real tool
 * calls and reports what they really found, by fixed rules, and says so. The same request always gets the same answer.
 */
export function createDemoProvider(options: DemoOptions): ModelProvider {
	const model: Model = { ref: "demo/demo", label: "Demo", stream: (request) => answer(request, options) };
	return { id: "demo", label: "Demo", model: (modelId) => (modelId === "demo" ? model : undefined) };
}

async function* answer(request: ModelRequest, options: DemoOptions): AsyncGenerator<ModelPart> {
	const written = { text: 0, reasoning: 0 };
	let finishReason: FinishReason = "error";
	try {
		const scripted = options.script && findScriptedTurn(options.script, request.messages);
		finishReason = yield* streamTurn(scripted ?? decideTurn(request), request, options, written);
	} catch (error) {
		yield { type: "error", error: { message: `The demo model has a bug: ${messageOf(error)}`, retryable: false } };
	}
	yield { type: "finish", finishReason, usage: estimateUsage(request, written) };
}

interface Written {
	/** In characters; tool calls are text too. */
	text: number;
	reasoning: number;
}

async function* streamTurn(
	turn: DemoTurn,
	request: ModelRequest,
	{ pace, clock }: DemoOptions,
	written: Written,
): AsyncGenerator<ModelPart, FinishReason> {
	const { signal, messages } = request;
	const wait = () => pause(clock, turn.chunkDelayMs ?? (pace === "human" ? humanDelayMs : 0), signal);
	if (signal.aborted) return "aborted";
	if (pace === "human") await pause(clock, humanThoughtMs, signal);
	if (signal.aborted) return "aborted";
	yield { type: "response-metadata", modelId: "demo" };
	for (const kind of ["reasoning", "text"] as const) {
		const words = (turn[kind] ?? "").match(/\S+\s*|\s+/gu) ?? [];
		if (words.length === 0) continue;
		yield { type: `${kind}-start`, id: kind };
		for (const delta of words) {
			await wait();
			if (signal.aborted) break;
			written[kind] += delta.length;
			yield { type: `${kind}-delta`, id: kind, delta };
		}
		yield { type: `${kind}-end`, id: kind };
		if (signal.aborted) return "aborted";
	}
	if (turn.hangs === true) await aborted(signal);
	if (signal.aborted) return "aborted";
	if (turn.error !== undefined) {
		yield { type: "error", error: turn.error };
		return "error";
	}
	const answered = messages.filter(({ role }) => role === "assistant").length;
	for (const [index, { tool, input }] of (turn.calls ?? []).entries()) {
		written.text += JSON.stringify(input).length;
		yield { type: "tool-call", toolCallId: `demo-${answered + 1}-${index + 1}`, toolName: tool, input };
		if (signal.aborted) return "aborted";
	}
	return turn.calls !== undefined && turn.calls.length > 0 ? "tool-calls" : "stop";
}

/** Resolves after the time, or at once when the signal fires. */
function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
	if (ms === 0 || signal.aborted) return Promise.resolve();
	return new Promise((resolve) => {
		const finish = () => {
			timer.dispose();
			signal.removeEventListener("abort", finish);
			resolve();
		};
		const timer = clock.after(ms, finish);
		signal.addEventListener("abort", finish, { once: true });
	});
}

async function aborted(signal: AbortSignal): Promise<void> {
	if (!signal.aborted) await once(signal, "abort");
}

/** Nobody counts tokens for us, so characters stand for them. It costs nothing. */
function estimateUsage({ system, messages, tools }: ModelRequest, written: Written): ModelUsage {
	const toTokens = (characters: number) => Math.ceil(characters / charactersPerToken);
	const read = [system, ...messages, ...tools].map((part) => (typeof part === "string" ? part : JSON.stringify(part)));
	return {
		inputTokens: { total: toTokens(read.reduce((sum, part) => sum + part.length, 0)), cacheRead: 0 },
		outputTokens: { total: toTokens(written.text + written.reasoning), reasoning: toTokens(written.reasoning) },
		usd: 0,
		isEstimate: true,
	};
}
