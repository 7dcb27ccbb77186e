import { expect } from "vitest";
import { createHttpProvider, type HttpProviderOptions } from "../../../../src/core/models/httpProvider.ts";
import type { ModelError, ModelPart, ModelRequest } from "../../../../src/core/models/modelPort.ts";
import {
	type ReceivedRequest,
	type ScriptedReply,
	type SpokenWire,
	startModelServer,
} from "../../../fakes/modelServer.ts";

export const wires: readonly SpokenWire[] = ["chat", "responses", "anthropic"];
export const canaryKey = "sk-canary-0123456789/abc+def";

export function aRequest(parts: Partial<ModelRequest> = {}): ModelRequest {
	return {
		system: "Be brief.",
		messages: [{ role: "user", text: "Hello" }],
		tools: [],
		signal: new AbortController().signal,
		...parts,
	};
}

export interface Asked {
	readonly parts: readonly ModelPart[];
	readonly requests: readonly ReceivedRequest[];
}

/** Asks a server that answers so, and checks what the port promises about every answer. */
export async function askWire(
	wire: SpokenWire,
	reply: ScriptedReply,
	request: Partial<ModelRequest> = {},
	options: Partial<HttpProviderOptions> = {},
): Promise<Asked> {
	const server = await startModelServer({ script: () => reply });
	try {
		const parts = await askProvider({ wire, baseUrl: server.url, ...options }, request);
		return { parts, requests: server.requests };
	} finally {
		await server.close();
	}
}

export async function askProvider(
	options: Partial<HttpProviderOptions>,
	request: Partial<ModelRequest> = {},
	modelId = "gpt-test",
): Promise<ModelPart[]> {
	const parts: ModelPart[] = [];
	const model = aProvider(options).model(modelId);
	for await (const part of model?.stream(aRequest(request)) ?? []) parts.push(part);
	expect(parts.filter(({ type }) => type === "finish")).toHaveLength(1);
	expect(parts.at(-1)?.type).toBe("finish");
	expect(JSON.stringify(parts)).not.toContain(canaryKey);
	return parts;
}

export function aProvider(options: Partial<HttpProviderOptions> = {}) {
	return createHttpProvider({
		id: "test",
		label: "Test",
		baseUrl: "http://127.0.0.1:1/v1",
		wire: "chat",
		apiKey: async () => canaryKey,
		...options,
	});
}

export function textIn(parts: readonly ModelPart[], type: "text-delta" | "reasoning-delta" = "text-delta"): string {
	return parts.map((part) => (part.type === type ? part.delta : "")).join("");
}

export function errorIn(parts: readonly ModelPart[]): ModelError | undefined {
	return parts.find((part) => part.type === "error")?.error;
}

export function callsIn(parts: readonly ModelPart[]) {
	return parts.filter((part) => part.type === "tool-call");
}

export function finishOf(parts: readonly ModelPart[]) {
	const last = parts.at(-1);
	return last?.type === "finish" ? last : undefined;
}
