import { crc32 } from "node:zlib";
import { type Speech, spokenUsage } from "./modelServer.ts";

export const bedrockSignature = "thinking-signature==";

const finishes = { stop: "end_turn", calls: "tool_use", length: "max_tokens", filter: "guardrail_intervened" };

/** An answer as Bedrock's ConverseStream sends it: blocks by number, the reason to stop, then the figures. */
export function speakBedrock(speech: Speech): Uint8Array[] {
	const { thinking, text, calls = [], finish } = speech;
	const { input, cacheRead, output } = spokenUsage;
	const blocks = [
		...(thinking
			? [
					{
						start: undefined,
						deltas: [
							...thinking.map((thought) => ({ reasoningContent: { text: thought } })),
							{ reasoningContent: { signature: bedrockSignature } },
						],
					},
				]
			: []),
		...(text ? [{ start: undefined, deltas: text.map((said) => ({ text: said })) }] : []),
		...calls.map(({ id, name, pieces }) => ({
			start: { toolUse: { toolUseId: id ?? "", name } },
			deltas: pieces.map((piece) => ({ toolUse: { input: piece } })),
		})),
	];
	return [
		bedrockEvent("messageStart", { role: "assistant" }),
		...blocks.flatMap(({ start, deltas }, contentBlockIndex) => [
			...(start ? [bedrockEvent("contentBlockStart", { contentBlockIndex, start })] : []),
			...deltas.map((delta) => bedrockEvent("contentBlockDelta", { contentBlockIndex, delta })),
			bedrockEvent("contentBlockStop", { contentBlockIndex }),
		]),
		bedrockEvent("messageStop", { stopReason: finishes[finish ?? (calls.length > 0 ? "calls" : "stop")] }),
		bedrockEvent("metadata", {
			usage: {
				inputTokens: input - cacheRead,
				cacheReadInputTokens: cacheRead,
				cacheWriteInputTokens: 0,
				outputTokens: output,
				totalTokens: input + output,
			},
			metrics: { latencyMs: 7 },
		}),
	];
}

/** The padding `p` is there so that lengths tell nothing. */
export function bedrockEvent(type: string, payload: object): Uint8Array {
	return frame({ ":message-type": "event", ":event-type": type }, { ...payload, p: "abcdefgh" });
}

export function bedrockException(type: string, message: string): Uint8Array {
	return frame({ ":message-type": "exception", ":exception-type": type }, { message });
}

/** Two lengths and their checksum, headers, payload, and the checksum of all that. */
function frame(own: Readonly<Record<string, string>>, payload: object): Uint8Array {
	const headers = Buffer.concat(
		Object.entries({ ...own, ":content-type": "application/json" }).flatMap(([name, value]) => [
			Buffer.from([name.length]),
			Buffer.from(name),
			Buffer.from([stringValue, value.length >> 8, value.length & 0xff]),
			Buffer.from(value),
		]),
	);
	const body = Buffer.from(JSON.stringify(payload));
	const lengths = Buffer.concat([unsigned(headers.length + body.length + 16), unsigned(headers.length)]);
	const unsealed = Buffer.concat([lengths, unsigned(crc32(lengths)), headers, body]);
	return Buffer.concat([unsealed, unsigned(crc32(unsealed))]);
}

const stringValue = 7;

function unsigned(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
}
