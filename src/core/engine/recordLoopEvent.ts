import type { LoopEvent } from "../loop/agentLoop.ts";
import { nudgeMark } from "../sessions/history.ts";
import type { TranscriptWriter } from "./transcriptWriter.ts";

/** Puts what the loop tells into the transcript. Resolves when it is on disk; streamed text may lag behind. */
export function recordLoopEvent(writer: TranscriptWriter, event: LoopEvent): Promise<void> | undefined {
	switch (event.type) {
		case "text":
		case "reasoning":
			writer.stream(event.type, event.turn, event.delta);
			return undefined;
		case "tool-called": {
			const { toolName, toolCallId, input } = event.call;
			const tool = { name: toolName, callId: toolCallId, isError: false };
			return writer.append("tool_call", event.turn, JSON.stringify(input) ?? "null", tool);
		}
		case "tool-returned": {
			const { call, result, turn } = event;
			const tool = { name: call.toolName, callId: call.toolCallId, isError: result.isError };
			return writer.append("tool_result", turn, result.text, tool);
		}
		case "answered": {
			const { turn, replay } = event;
			return replay === null ? undefined : writer.append("replay", turn, JSON.stringify(replay) ?? "null");
		}
		case "nudged":
			return writer.append("notice", event.turn, event.text, { name: nudgeMark, callId: "", isError: false });
		case "turn-withdrawn":
			return withdraw(writer, event);
		case "compacted":
			// A summary is in the transcript already; what is missing is why there is none.
			if (event.problem === null) return undefined;
			return writer.append("notice", event.turn, `The older turns could not be summarised: ${event.problem}`);
		case "compacting":
		case "turn-started":
		case "turn-ended":
		case "turn-failed":
			return undefined;
	}
}

async function withdraw(
	writer: TranscriptWriter,
	{ turn, error, delayMs }: LoopEvent & { readonly type: "turn-withdrawn" },
): Promise<void> {
	await writer.withdraw(turn);
	const seconds = Math.ceil(delayMs / 1000);
	await writer.append("notice", turn, `The model did not answer (${error.message}). Asked again after ${seconds} s.`);
}
