import type { Model, ModelPart, ModelRequest } from "../../src/core/models/modelPort.ts";

const usage = {
	inputTokens: { total: 100, cacheRead: 40 },
	outputTokens: { total: 10, reasoning: 2 },
	usd: 0.01,
	isEstimate: false,
};

/**
 * A model that does what its task says, so that any number of runs may ask it at once: `Hang` waits for its stop, `Answer`
 * answers at once, `Write` writes `new.txt`, and
 * anything else reads a file first.
 */
export class TaskModel implements Model {
	readonly ref = "demo/task" as const;
	readonly label = "Task";
	readonly #onHang: (moment: "hangs" | "stopped") => void;

	/** `onHang` hears when it begins to hang, and when it was stopped. */
	constructor(onHang: (moment: "hangs" | "stopped") => void = () => undefined) {
		this.#onHang = onHang;
	}

	async *stream({ messages, signal }: ModelRequest): AsyncGenerator<ModelPart> {
		const task = messages.find(({ role }) => role === "user")?.text ?? "";
		if (task.startsWith("Hang")) {
			this.#onHang("hangs");
			if (!signal.aborted) {
				await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
			}
			this.#onHang("stopped");
			yield { type: "finish", finishReason: "aborted", usage };
			return;
		}
		if (task.startsWith("Answer") || messages.some(({ role }) => role === "tool")) {
			yield { type: "text-delta", id: "1", delta: `Did it. SUMMARY: ${task}` };
			yield { type: "finish", finishReason: "stop", usage };
			return;
		}
		if (task.startsWith("Write")) {
			const input = { path: "new.txt", content: "eight\n" };
			yield { type: "tool-call", toolCallId: "call-1", toolName: "write_file", input };
			yield { type: "finish", finishReason: "tool-calls", usage };
			return;
		}
		yield { type: "text-delta", id: "1", delta: "I read it first." };
		yield { type: "tool-call", toolCallId: "call-1", toolName: "read_file", input: { path: "notes.txt" } };
		yield { type: "finish", finishReason: "tool-calls", usage };
	}
}
