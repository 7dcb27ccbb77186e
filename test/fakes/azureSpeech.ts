import { type Speech, spokenUsage } from "./modelServer.ts";

export const azureModel = "gpt-9-2026-01-01";
export const azureReasoning = "encrypted==";

/** An answer as Azure's Responses stream it: every event with its place, each item begun, in pieces, and whole. */
export function speakAzure(speech: Speech): string[] {
	const { finish } = speech;
	const incomplete = { length: "max_output_tokens", filter: "content_filter", stop: undefined, calls: undefined };
	const reason = finish && incomplete[finish];
	const frame = { id: "resp_1", object: "response", created_at: 1_767_225_600, model: azureModel, error: null };
	const open = { ...frame, status: "in_progress", incomplete_details: null, output: [], usage: null };
	const items = itemsOf(speech);
	const whole = {
		...frame,
		status: reason === undefined ? "completed" : "incomplete",
		incomplete_details: reason === undefined ? null : { reason },
		output: items.map(({ item }) => item),
		usage: {
			input_tokens: spokenUsage.input,
			input_tokens_details: { cached_tokens: spokenUsage.cacheRead },
			output_tokens: spokenUsage.output,
			output_tokens_details: { reasoning_tokens: spokenUsage.reasoning },
			total_tokens: spokenUsage.input + spokenUsage.output,
		},
	};
	return [
		{ type: "response.created", response: open },
		{ type: "response.in_progress", response: open },
		...items.flatMap(({ item, begun, pieces }, index) => [
			{ type: "response.output_item.added", output_index: index, item: begun },
			...pieces.map((piece) => ({ ...piece, output_index: index, item_id: item.id })),
			{ type: "response.output_item.done", output_index: index, item },
		]),
		{ type: `response.${whole.status}`, response: whole },
	].map((data, index) => azureEvent({ ...data, sequence_number: index }));
}

interface AzureEvent extends Readonly<Record<string, unknown>> {
	readonly type: string;
}

export function azureEvent(data: AzureEvent): string {
	return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function itemsOf({ thinking, text, calls = [] }: Speech) {
	return [
		...(thinking ? [reasoningItem(thinking)] : []),
		...(text ? [messageItem(text)] : []),
		...calls.map(({ id, name, pieces }) => callItem(id ?? "", name, pieces)),
	];
}

function reasoningItem(thinking: readonly string[]) {
	const part = { type: "summary_text", text: thinking.join("") };
	const item = { id: "rs_1", type: "reasoning", summary: [part], encrypted_content: azureReasoning };
	const at = { summary_index: 0 };
	const pieces: readonly AzureEvent[] = [
		{ type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
		...thinking.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
		{ type: "response.reasoning_summary_text.done", ...at, text: part.text },
		{ type: "response.reasoning_summary_part.done", ...at, part },
	];
	return { item, begun: { ...item, summary: [], encrypted_content: "begun==" }, pieces };
}

function messageItem(text: readonly string[]) {
	const part = { type: "output_text", text: text.join(""), annotations: [], logprobs: [] };
	const item = { id: "msg_1", type: "message", status: "completed", role: "assistant", content: [part] };
	const at = { content_index: 0 };
	const pieces: readonly AzureEvent[] = [
		{ type: "response.content_part.added", ...at, part: { ...part, text: "" } },
		...text.map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
		{ type: "response.output_text.done", ...at, text: part.text, logprobs: [] },
		{ type: "response.content_part.done", ...at, part },
	];
	return { item, begun: { ...item, status: "in_progress", content: [] }, pieces };
}

function callItem(id: string, name: string, given: readonly string[]) {
	const whole = given.join("");
	const item = {
		id: `fc_${id}`,
		type: "function_call",
		status: "completed",
		call_id: id,
		name,
		arguments: whole,
	};
	const pieces: readonly AzureEvent[] = [
		...given.map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
		{ type: "response.function_call_arguments.done", arguments: whole },
	];
	return { item, begun: { ...item, status: "in_progress", arguments: "" }, pieces };
}
