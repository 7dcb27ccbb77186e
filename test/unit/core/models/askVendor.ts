import { onTestFinished } from "vitest";
import type { ModelMessage, ModelPart, ModelRequest } from "../../../../src/core/models/modelPort.ts";
import type { VendorWire } from "../../../../src/core/models/vendors.ts";
import { type ScriptedReply, type Speech, startModelServer } from "../../../fakes/modelServer.ts";
import { spokenVendors } from "../../../fakes/vendorSpeech.ts";
import { askProvider, callsIn, textIn } from "./askWire.ts";

/** A server of the test's own that plays this vendor, and a provider's options for it. */
export async function serveVendor(wire: VendorWire, script: (index: number) => ScriptedReply) {
	const { base, head } = spokenVendors[wire];
	const server = await startModelServer({
		script: (_, index) => {
			const reply = script(index);
			return reply.status === undefined ? { headers: head, ...reply } : reply;
		},
	});
	onTestFinished(() => server.close());
	const options = { wire, baseUrl: `${new URL(server.url).origin}${base}` } as const;
	return { requests: server.requests, options };
}

export async function askVendor(
	wire: VendorWire,
	reply: ScriptedReply,
	request: Partial<ModelRequest> = {},
	modelId = spokenVendors[wire].modelId,
) {
	const { options, requests } = await serveVendor(wire, () => reply);
	const parts = await askProvider(options, request, modelId);
	return { parts, requests, body: requests[0]?.body };
}

/** All that comes before the event which says this. */
export function untilSaid(wire: VendorWire, speech: Speech, said: string): readonly (string | Uint8Array)[] {
	const events = spokenVendors[wire].speak(speech);
	return events.slice(
		0,
		events.findIndex((event) => Buffer.from(event).includes(said)),
	);
}

/** The answer as the conversation keeps it. */
export function answerOf(parts: readonly ModelPart[]): ModelMessage {
	const replay = parts.find(({ type }) => type === "replay");
	return {
		role: "assistant",
		text: textIn(parts),
		toolCalls: callsIn(parts).map(({ toolCallId, toolName, input }) => ({ toolCallId, toolName, input })),
		...(replay?.type === "replay" && { replay: JSON.parse(JSON.stringify(replay.data)) as unknown }),
	};
}

export const readCalls = [
	{ id: "callAlpha", name: "read_file", pieces: ['{"path":', '"a"}'] },
	{ id: "callBravo", name: "read_file", pieces: ['{"path":"b"}'] },
];

export const readTool = {
	name: "read_file",
	description: "Reads",
	inputSchema: { type: "object", properties: { path: { type: "string" }, from: { type: "integer" } } },
};

export const readResults: readonly ModelMessage[] = [
	{ role: "tool", toolCallId: "callAlpha", toolName: "read_file", text: "A", isError: false },
	{ role: "tool", toolCallId: "callBravo", toolName: "read_file", text: "gone", isError: true },
];
