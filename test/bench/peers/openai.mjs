import OpenAI from "openai";

/** OpenAI's SDK with the shortest loop around it: the cheapest peer of all that were measured. */
export async function runAgent({ baseUrl, model, system, prompt, tool, signal, onText }) {
	const client = new OpenAI({ baseURL: baseUrl, apiKey: "none", maxRetries: 0 });
	const { name, description, schema } = tool;
	const tools = [{ type: "function", function: { name, description, parameters: schema } }];
	const messages = [
		{ role: "system", content: system },
		{ role: "user", content: prompt },
	];
	for (;;) {
		const request = { model, messages, tools, stream: true, stream_options: { include_usage: true } };
		const stream = await client.chat.completions.create(request, { signal });
		const calls = [];
		let text = "";
		for await (const { choices } of stream) {
			const delta = choices[0]?.delta;
			if (delta?.content) {
				text += delta.content;
				onText(delta.content);
			}
			for (const { index, id, function: piece } of delta?.tool_calls ?? []) {
				calls[index] ??= { id, type: "function", function: { name: piece.name, arguments: "" } };
				calls[index].function.arguments += piece.arguments ?? "";
			}
		}
		if (calls.length === 0) return;
		messages.push({ role: "assistant", content: text || null, tool_calls: calls });
		for (const call of calls) {
			const content = tool.execute(JSON.parse(call.function.arguments));
			messages.push({ role: "tool", tool_call_id: call.id, content });
		}
	}
}
