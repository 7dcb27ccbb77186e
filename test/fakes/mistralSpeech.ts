import { type Speech, spokenUsage } from "./modelServer.ts";

export const mistralModel = "mistral-medium-3-9";

const finishes = { stop: "stop", calls: "tool_calls", length: "length", filter: "content_filter" };
const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;

/** An answer as Mistral's chat completions stream it: each call whole, thinking as content, figures in the last chunk. */
export function speakMistral({ thinking = [], text = [], calls = [], finish }: Speech): string[] {
	const { input, cacheRead, output } = spokenUsage;
	const usage = {
		prompt_tokens: input,
		completion_tokens: output,
		total_tokens: input + output,
		prompt_tokens_details: { cached_tokens: cacheRead },
	};
	const last = finishes[finish ?? (calls.length > 0 ? "calls" : "stop")];
	const wholeCalls = calls.map(({ id, name, pieces }, index) => ({
		...(id !== undefined && { id }),
		index,
		function: { name, arguments: pieces.join("") },
	}));
	return [
		chunk({ role: "assistant", content: "" }),
		...thinking.map((thought) =>
			chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: thought }], closed: false }] }),
		),
		...text.map((content) => chunk({ content })),
		calls.length > 0
			? chunk({ content: "", tool_calls: wholeCalls }, { finish_reason: last }, { usage })
			: chunk({ content: "" }, { finish_reason: last }, { usage }),
		"data: [DONE]\n\n",
	];
}

function chunk(delta: object, choice: object = { finish_reason: null }, more: object = {}): string {
	const frame = { id: "1f2e3d4c5b6a", object: "chat.completion.chunk", created: 1_767_225_600, model: mistralModel };
	return event({ ...frame, choices: [{ index: 0, delta, ...choice }], p: "abcdef", ...more });
}

/** An error as Mistral writes it, in a body or in the stream. */
export function mistralFailure(message: string, type: string, code: string | null = null): string {
	return JSON.stringify({ object: "error", message, type, param: null, code });
}

export const mistralEvent = (json: string) => `data: ${json}\n\n`;
