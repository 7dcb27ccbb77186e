import { type Speech, spokenUsage } from "./modelServer.ts";

export const geminiModel = "gemini-9-flash-001";
export const geminiSignature = "thought-signature==";

const finishes = { stop: "STOP", calls: "STOP", length: "MAX_TOKENS", filter: "SAFETY" };
const event = (data: unknown) => `data: ${JSON.stringify(data)}\r\n\r\n`;

/** An answer as Gemini's streamGenerateContent sends it: each call whole, the first one and the last text signed. */
export function speakGemini(speech: Speech): string[] {
	return chunksOf(speech).map(event);
}

/** The same as a server sends it that does not know `alt=sse`: a list. */
export function speakGeminiWhole(speech: Speech): string {
	return JSON.stringify(chunksOf(speech));
}

function chunksOf({ thinking = [], text = [], calls = [], finish }: Speech) {
	const parts = [
		...thinking.map((thought) => ({ text: thought, thought: true })),
		...text.map((said, index) => ({
			text: said,
			...(index === text.length - 1 && thinking.length > 0 && { thoughtSignature: geminiSignature }),
		})),
		...calls.map(({ id, name, pieces }, index) => ({
			functionCall: { ...(id !== undefined && { id }), name, args: JSON.parse(pieces.join("")) as unknown },
			...(index === 0 && { thoughtSignature: geminiSignature }),
		})),
	];
	return [
		...parts.map((part) => chunk({ content: { role: "model", parts: [part] }, index: 0 })),
		chunk({ content: { role: "model", parts: [{ text: "" }] }, finishReason: finishes[finish ?? "stop"], index: 0 }),
	];
}

/** Every chunk has the figures up to there; those of the thinking are not among the others. */
function chunk(candidate: object) {
	const { input, cacheRead, output, reasoning } = spokenUsage;
	return {
		candidates: [candidate],
		usageMetadata: {
			promptTokenCount: input,
			cachedContentTokenCount: cacheRead,
			candidatesTokenCount: output - reasoning,
			thoughtsTokenCount: reasoning,
			totalTokenCount: input + output,
		},
		modelVersion: geminiModel,
		responseId: "response-1",
	};
}

/** An error as Google's servers write it. */
export function geminiFailure(code: number, status: string, message: string, details: readonly object[] = []): string {
	return JSON.stringify({ error: { code, message, status, details } }, undefined, 2);
}

const rpc = (type: string) => `type.googleapis.com/google.rpc.${type}`;

export const geminiDetails = {
	wrongKey: { "@type": rpc("ErrorInfo"), reason: "API_KEY_INVALID", domain: "googleapis.com" },
	retryIn: (retryDelay: string) => ({ "@type": rpc("RetryInfo"), retryDelay }),
	quota: (quotaId: string) => ({ "@type": rpc("QuotaFailure"), violations: [{ quotaId }] }),
};
