import type { VendorWire } from "../../src/core/models/vendors.ts";
import { azureEvent, azureModel, speakAzure } from "./azureSpeech.ts";
import { bedrockException, speakBedrock } from "./bedrockSpeech.ts";
import { geminiDetails, geminiFailure, geminiModel, speakGemini } from "./geminiSpeech.ts";
import { mistralEvent, mistralFailure, mistralModel, speakMistral } from "./mistralSpeech.ts";
import type { ScriptedReply, Speech } from "./modelServer.ts";

type Piece = string | Uint8Array;

/** A vendor as a server plays it. */
export interface SpokenVendor {
	/** Below the server's origin. */
	readonly base: string;
	readonly modelId: string;
	/** Where that model is asked. */
	readonly path: string;
	/** The model that says it has answered. */
	readonly answering: string;
	readonly countsReasoning: boolean;
	/** The header of the key, and what stands before the key in it. */
	readonly keyHeader: readonly [name: string, scheme: string];
	/** Where the package would look for a key of its own. */
	readonly variable: string;
	readonly head: Readonly<Record<string, string>>;
	/** One piece for each event. */
	readonly speak: (speech: Speech) => readonly Piece[];
	/** The failures that every vendor has, in its own words. */
	readonly failures: {
		readonly key: (message: string) => ScriptedReply;
		readonly limit: (message: string) => ScriptedReply;
		readonly trouble: (message: string) => ScriptedReply;
		readonly overflow: ScriptedReply;
		readonly model: ScriptedReply;
	};
	/** An event that says in the middle of the answer that the vendor is overloaded. */
	readonly overload: (message: string) => Piece;
}

const events = { "content-type": "text/event-stream" };
const json = { "content-type": "application/json" };
const failing = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): ScriptedReply => ({
	status,
	headers: { ...json, ...headers },
	body: [body],
});
const wait = { "retry-after": "7" };

const google: SpokenVendor = {
	base: "/v1beta",
	modelId: "gemini-9-flash",
	path: "/v1beta/models/gemini-9-flash:streamGenerateContent?alt=sse",
	answering: geminiModel,
	countsReasoning: true,
	keyHeader: ["x-goog-api-key", ""],
	variable: "GOOGLE_GENERATIVE_AI_API_KEY",
	head: events,
	speak: speakGemini,
	failures: {
		key: (message) => failing(400, geminiFailure(400, "INVALID_ARGUMENT", message, [geminiDetails.wrongKey])),
		limit: (message) => failing(429, geminiFailure(429, "RESOURCE_EXHAUSTED", message, [geminiDetails.retryIn("7s")])),
		trouble: (message) => failing(500, geminiFailure(500, "INTERNAL", message)),
		overflow: failing(
			400,
			geminiFailure(
				400,
				"INVALID_ARGUMENT",
				"The input token count (9) exceeds the maximum number of tokens allowed (8).",
			),
		),
		model: failing(404, geminiFailure(404, "NOT_FOUND", "models/x is not found")),
	},
	overload: (message) => `data: ${JSON.stringify(JSON.parse(geminiFailure(503, "UNAVAILABLE", message)))}\n\n`,
};

const mistral: SpokenVendor = {
	base: "/v1",
	modelId: "mistral-medium-latest",
	path: "/v1/chat/completions",
	answering: mistralModel,
	countsReasoning: false,
	keyHeader: ["authorization", "Bearer "],
	variable: "MISTRAL_API_KEY",
	head: events,
	speak: speakMistral,
	failures: {
		key: (detail) => failing(401, JSON.stringify({ detail })),
		limit: (message) => failing(429, mistralFailure(message, "rate_limited", "1300"), wait),
		trouble: (message) => failing(500, mistralFailure(message, "internal_server_error", "1000")),
		overflow: failing(
			400,
			mistralFailure(
				"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
				"invalid_request_prompt",
				"3051",
			),
		),
		model: failing(404, mistralFailure("Invalid model: x", "invalid_model", "1500")),
	},
	overload: (message) => mistralEvent(mistralFailure(message, "service_tier_capacity_exceeded", "3505")),
};

const azure: SpokenVendor = {
	base: "/openai/v1",
	modelId: "gpt-9",
	path: "/openai/v1/responses",
	answering: azureModel,
	countsReasoning: true,
	keyHeader: ["api-key", ""],
	variable: "AZURE_API_KEY",
	head: events,
	speak: speakAzure,
	failures: {
		key: (message) => failing(401, JSON.stringify({ error: { code: "401", message } })),
		limit: (message) => failing(429, JSON.stringify({ error: { code: "too_many_requests", message } }), wait),
		trouble: (message) => failing(500, JSON.stringify({ error: { code: "InternalServerError", message } })),
		overflow: failing(
			400,
			JSON.stringify({
				error: {
					message: "Your input exceeds the context window of this model.",
					type: "invalid_request_error",
					code: "context_length_exceeded",
				},
			}),
		),
		model: failing(
			404,
			JSON.stringify({ error: { code: "DeploymentNotFound", message: "The API deployment does not exist." } }),
		),
	},
	overload: (message) => {
		const error = { type: "server_error", code: "server_error", message, param: null };
		return azureEvent({ type: "error", sequence_number: 9, error });
	},
};

const bedrock: SpokenVendor = {
	base: "",
	modelId: "eu.anthropic.claude-sonnet-9-20270101-v1:0",
	path: "/model/eu.anthropic.claude-sonnet-9-20270101-v1%3A0/converse-stream",
	answering: "eu.anthropic.claude-sonnet-9-20270101-v1:0",
	countsReasoning: false,
	keyHeader: ["authorization", "Bearer "],
	variable: "AWS_BEARER_TOKEN_BEDROCK",
	head: { "content-type": "application/vnd.amazon.eventstream" },
	speak: speakBedrock,
	failures: {
		key: (message) =>
			failing(403, JSON.stringify({ Message: message }), { "x-amzn-errortype": "AccessDeniedException" }),
		limit: (message) =>
			failing(429, JSON.stringify({ message }), { ...wait, "x-amzn-errortype": "ThrottlingException" }),
		trouble: (message) => failing(500, JSON.stringify({ message }), { "x-amzn-errortype": "InternalServerException" }),
		overflow: failing(400, JSON.stringify({ message: "Input is too long for requested model." }), {
			"x-amzn-errortype": "ValidationException",
		}),
		model: failing(404, JSON.stringify({ message: "The model is not there." }), {
			"x-amzn-errortype": "ResourceNotFoundException",
		}),
	},
	overload: (message) => bedrockException("serviceUnavailableException", message),
};

/** Every vendor of the product has to be here. */
export const spokenVendors: Readonly<Record<VendorWire, SpokenVendor>> = { google, mistral, azure, bedrock };

export const vendorWires = Object.keys(spokenVendors) as VendorWire[];
