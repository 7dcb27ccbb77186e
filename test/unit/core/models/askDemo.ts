import { createDemoProvider, type DemoOptions } from "../../../../src/core/models/demoModel.ts";
import type { ModelMessage, ModelPart, ModelRequest, ToolSchema } from "../../../../src/core/models/modelPort.ts";
import { systemClock } from "../../../../src/core/ports/clock.ts";

export const fileTools = ["list_dir", "read_file", "grep"].map(aTool);

export function aTool(name: string): ToolSchema {
	return { name, description: name, inputSchema: { type: "object" } };
}

export function aRequest(messages: readonly ModelMessage[] | string, fields: Partial<ModelRequest> = {}): ModelRequest {
	return {
		system: "You are a subagent.",
		messages: typeof messages === "string" ? [{ role: "user", text: messages }] : messages,
		tools: fileTools,
		signal: new AbortController().signal,
		...fields,
	};
}

export function demoModel(options: Partial<DemoOptions> = {}) {
	const model = createDemoProvider({ pace: "off", clock: systemClock, ...options }).model("demo");
	if (model === undefined) throw new Error("The demo provider has no demo model");
	return model;
}

export async function askDemo(request: ModelRequest, options: Partial<DemoOptions> = {}): Promise<ModelPart[]> {
	const parts: ModelPart[] = [];
	for await (const part of demoModel(options).stream(request)) parts.push(part);
	return parts;
}

export const textOf = (parts: readonly ModelPart[]): string =>
	parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");

export const callsOf = (parts: readonly ModelPart[]) =>
	parts.flatMap((part) => (part.type === "tool-call" ? [{ tool: part.toolName, input: part.input }] : []));

export const finishesOf = (parts: readonly ModelPart[]) =>
	parts.flatMap((part, index) =>
		part.type === "finish" ? [{ reason: part.finishReason, isLast: index === parts.length - 1 }] : [],
	);
