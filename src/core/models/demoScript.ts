import * as z from "zod";
import { messageOf, type Problem } from "../base/errors.ts";
import { findTaskAt } from "./demoConversation.ts";
import type { DemoTurn } from "./demoTurn.ts";
import type { ModelMessage } from "./modelPort.ts";

const Turn = z.strictObject({
	text: z.string().default(""),
	reasoning: z.exactOptional(z.string()),
	calls: z.exactOptional(z.array(z.strictObject({ tool: z.string().min(1), input: z.json().default({}) }))),
	chunkDelayMs: z.exactOptional(z.number().min(0)),
	error: z.exactOptional(
		z.strictObject({
			message: z.string(),
			retryable: z.boolean(),
			retryAfterMs: z.exactOptional(z.number().min(0)),
			statusCode: z.exactOptional(z.int()),
		}),
	),
	hangs: z.exactOptional(z.boolean()),
});

/** What the demo model says when a task contains `when`, turn by turn. For tests. */
export const DemoScript = z.strictObject({
	scripts: z.array(z.strictObject({ when: z.string().min(1), turns: z.array(Turn) })),
});
export type DemoScript = z.infer<typeof DemoScript>;

/** Reads a script. Never throws: without a script there is a problem for each mistake, with its place in the JSON. */
export function parseDemoScript(text: string): { readonly script?: DemoScript; readonly problems: readonly Problem[] } {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return { problems: [{ code: "demoScript.syntax", message: `The demo script is not JSON: ${messageOf(error)}` }] };
	}
	const parsed = DemoScript.safeParse(value);
	if (parsed.success) return { script: parsed.data, problems: [] };
	return {
		problems: parsed.error.issues.map((issue) => ({
			code: "demoScript.shape",
			message: `The demo script is wrong at ${toJsonPath(issue.path)}: ${issue.message}`,
		})),
	};
}

function toJsonPath(path: readonly PropertyKey[]): string {
	return path.reduce<string>((way, key) => way + (typeof key === "number" ? `[${key}]` : `.${String(key)}`), "$");
}

/**
 * The turn that a script has for this request, or undefined when the demo model is to answer by itself. Which turn it is
 * follows from the messages alone: the n-th request since the message that the script is for gets the n-th turn. A
 * script that has ended is silent for its own task, and has no say in the next one.
 */
export function findScriptedTurn({ scripts }: DemoScript, messages: readonly ModelMessage[]): DemoTurn | undefined {
	const { taskAt } = findTaskAt(messages);
	for (const [at, message] of [...messages.entries()].toReversed()) {
		if (message.role !== "user") continue;
		const script = scripts.find(({ when }) => message.text.includes(when));
		if (script === undefined) continue;
		const answered = messages.slice(at).filter(({ role }) => role === "assistant").length;
		return script.turns[answered] ?? (at >= taskAt ? { text: "" } : undefined);
	}
	return undefined;
}
