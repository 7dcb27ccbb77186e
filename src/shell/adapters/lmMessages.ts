import type { ModelError, ModelErrorKind, ModelMessage, ModelRequest } from "../../core/models/modelPort.ts";

/** A part of a message as VS Code's language model API has it, before it is made an object of its classes. */
export type LmPart =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "call"; readonly id: string; readonly name: string; readonly input: object }
	| { readonly type: "result"; readonly id: string; readonly text: string };

export interface LmMessage {
	readonly role: "user" | "assistant";
	readonly parts: readonly LmPart[];
}

/**
 * The conversation in VS Code's two roles. There is no system role, so the system prompt is the first thing the user says.
 * Messages of one role in a row become one: several models refuse them otherwise, and every result must follow its call.
 */
export function toLmMessages({ system, messages }: Pick<ModelRequest, "system" | "messages">): readonly LmMessage[] {
	const all = [
		...(system === "" ? [] : [{ role: "user", parts: [text(system)] } as const]),
		...messages.map(toMessage),
	];
	const merged: { role: LmMessage["role"]; parts: LmPart[] }[] = [];
	for (const { role, parts } of all) {
		const last = merged.at(-1);
		if (parts.length === 0) continue;
		if (last?.role === role) last.parts.push(...parts);
		else merged.push({ role, parts: [...parts] });
	}
	return merged;
}

function toMessage(message: ModelMessage): LmMessage {
	switch (message.role) {
		case "user":
			return { role: "user", parts: [text(message.text)] };
		case "tool":
			return {
				role: "user",
				parts: [
					{ type: "result", id: message.toolCallId, text: message.isError ? `Error: ${message.text}` : message.text },
				],
			};
		case "assistant":
			return {
				role: "assistant",
				parts: [
					...(message.text === "" ? [] : [text(message.text)]),
					...message.toolCalls.map(
						({ toolCallId: id, toolName: name, input }) =>
							({ type: "call", id, name, input: toObject(input) }) as const,
					),
				],
			};
	}
}

function text(value: string): LmPart {
	return { type: "text", text: value };
}

/** The API takes objects only; a call with broken input was answered as such already. */
function toObject(input: unknown): object {
	return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
}

/** All that is written in the messages, for counting. */
export function textOfMessages(messages: readonly LmMessage[]): string {
	return messages
		.flatMap(({ parts }) => parts)
		.map((part) => (part.type === "call" ? `${part.name} ${JSON.stringify(part.input)}` : part.text))
		.join("\n");
}

/** The codes that VS Code keeps; of all other errors only the words arrive. */
const byCode: Readonly<Record<string, { readonly kind: ModelErrorKind; readonly advice: string }>> = {
	NoPermissions: {
		kind: "auth",
		advice:
			"You have not allowed Muster to use this model. Spawn again and allow it, or choose another with “Muster: Pick Model”.",
	},
	Blocked: {
		kind: "quota",
		advice:
			"VS Code does not let Muster use this model now; its quota may be used up. Choose another with “Muster: Pick Model”.",
	},
	NotFound: {
		kind: "not-found",
		advice: "VS Code does not have this model any more. Choose another with “Muster: Pick Model”.",
	},
};

const byWords: readonly { readonly kind: ModelErrorKind; readonly words: RegExp; readonly isRetryable: boolean }[] = [
	{ kind: "quota", words: /quota|billing|premium requests|payment/iu, isRetryable: false },
	{
		kind: "context-overflow",
		words:
			/context (?:length|window|size)|too long|token limit|too many (?:input )?tokens|exceeds the (?:limit|maximum)/iu,
		isRetryable: false,
	},
	{ kind: "content-filter", words: /filtered|content[_ -]?(?:filter|policy)|responsible ai/iu, isRetryable: false },
	{ kind: "auth", words: /unauthori[sz]ed|forbidden|not signed in|sign in|\b40[13]\b/iu, isRetryable: false },
	{ kind: "rate-limit", words: /rate.?limit|too many requests|\b429\b/iu, isRetryable: true },
	{ kind: "overload", words: /overloaded|unavailable|\b50\d\b|\b529\b/iu, isRetryable: true },
	{
		kind: "network",
		words: /\bE(?:CONN\w+|NOTFOUND|AI_AGAIN|PIPE|TIMEDOUT)\b|network|fetch failed|socket|timed? ?out/iu,
		isRetryable: true,
	},
];

const longestMessage = 500;

/** What went wrong. Where nothing is known it may pass, so the loop tries again, as often as it does at all. */
export function toModelError(code: string | undefined, message: string): ModelError {
	const known = code !== undefined && Object.hasOwn(byCode, code) ? byCode[code] : undefined;
	const words = message.trim().slice(0, longestMessage);
	if (known) return { kind: known.kind, message: [known.advice, words].filter(Boolean).join(" "), retryable: false };
	const rule = byWords.find((each) => each.words.test(words));
	return {
		kind: rule?.kind ?? "unknown",
		message: words || "The model failed without a word.",
		retryable: rule?.isRetryable ?? true,
	};
}
