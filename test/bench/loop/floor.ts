import http from "node:http";
import type { AgentTask } from "./contestant.ts";

interface StreamedCall {
	readonly id: string;
	readonly type: "function";
	readonly function: { readonly name: string; arguments: string };
}

interface ChatEvent {
	readonly choices: readonly {
		readonly delta: {
			readonly content?: string | null;
			readonly tool_calls?: readonly {
				readonly index: number;
				readonly id?: string;
				readonly function: { readonly name?: string; readonly arguments?: string };
			}[];
		};
	}[];
}

const agent = new http.Agent({ keepAlive: true });

/** What an agent cannot cost less than: node:http, lines split by hand, the loop, and no check of anything. */
export async function runAgent(task: AgentTask): Promise<void> {
	const { system, prompt, tool } = task;
	const messages: unknown[] = [
		{ role: "system", content: system },
		{ role: "user", content: prompt },
	];
	for (;;) {
		const { text, calls } = await ask(task, messages);
		if (calls.length === 0) return;
		messages.push({ role: "assistant", content: text || null, tool_calls: calls });
		for (const call of calls) {
			const input = JSON.parse(call.function.arguments) as { path: string };
			messages.push({ role: "tool", tool_call_id: call.id, content: tool.execute(input) });
		}
	}
}

function ask(
	{ baseUrl, model, tool, signal, onText }: AgentTask,
	messages: readonly unknown[],
): Promise<{ text: string; calls: StreamedCall[] }> {
	const calls: StreamedCall[] = [];
	let text = "";
	const read = (line: string) => {
		if (!line.startsWith("data: {")) return;
		const delta = (JSON.parse(line.slice(6)) as ChatEvent).choices[0]?.delta;
		if (delta?.content) {
			text += delta.content;
			onText(delta.content);
		}
		for (const { index, id = "", function: piece } of delta?.tool_calls ?? []) {
			const call = (calls[index] ??= { id, type: "function", function: { name: piece.name ?? "", arguments: "" } });
			call.function.arguments += piece.arguments ?? "";
		}
	};
	const { name, description, schema } = tool;
	const tools = [{ type: "function", function: { name, description, parameters: schema } }];
	const body = JSON.stringify({ model, messages, tools, stream: true, stream_options: { include_usage: true } });
	const headers = { "content-type": "application/json", authorization: "Bearer none" };
	return new Promise((resolve, reject) => {
		const options = { method: "POST", agent, signal, headers };
		const request = http.request(`${baseUrl}/chat/completions`, options, (response) => {
			let rest = "";
			response.setEncoding("utf8");
			response.on("data", (piece: string) => {
				rest += piece;
				let from = 0;
				for (let to = rest.indexOf("\n"); to >= 0; to = rest.indexOf("\n", from)) {
					read(rest.slice(from, to));
					from = to + 1;
				}
				rest = rest.slice(from);
			});
			response.on("end", () => resolve({ text, calls }));
			response.on("error", reject);
		});
		request.on("error", reject);
		request.end(body);
	});
}
