import type * as z from "zod";
import type { SideEffect } from "../permissions/sideEffect.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

export interface ToolDefinition<Input> {
	readonly name: string;
	readonly description: string;
	readonly input: z.ZodType<Input>;
	effect(input: Input): SideEffect;
	subject(input: Input): string;
	execute(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** Makes a tool of its parts. The input's type stays inside, so that tools of every kind fit in one list. */
export function defineTool<Input>(definition: ToolDefinition<Input>): Tool {
	return {
		name: definition.name,
		description: definition.description,
		input: definition.input,
		prepare(raw) {
			const parsed = definition.input.safeParse(raw);
			if (!parsed.success) return { ok: false, problem: parsed.error.issues.map(describeIssue).join("; ") };
			const input = parsed.data;
			return {
				ok: true,
				effect: definition.effect(input),
				subject: definition.subject(input),
				execute: (context) => definition.execute(input, context),
			};
		},
	};
}

function describeIssue(issue: z.core.$ZodIssue): string {
	return `${issue.path.join(".") || "input"}: ${issue.message}`;
}
