import { onTestFinished } from "vitest";
import type { ModelRequest } from "../../../../src/core/models/modelPort.ts";
import { type ScriptedReply, startModelServer } from "../../../fakes/modelServer.ts";
import { askProvider } from "./askWire.ts";

export const googleModelId = "gemini-9-flash";

/** A server of the test's own, and a provider's options for it. */
export async function serveGoogle(script: (path: string, index: number) => ScriptedReply) {
	const server = await startModelServer({ script: ({ path }, index) => script(path, index) });
	onTestFinished(() => server.close());
	return {
		requests: server.requests,
		options: { wire: "google", baseUrl: `${new URL(server.url).origin}/v1beta` } as const,
	};
}

export async function askGoogle(reply: ScriptedReply, request: Partial<ModelRequest> = {}, id = googleModelId) {
	const { options, requests } = await serveGoogle(() => reply);
	const parts = await askProvider(options, request, id);
	return { parts, requests, body: requests[0]?.body };
}
