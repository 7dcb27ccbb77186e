import type { KeyChain } from "./keyChain.ts";

/**
 * The model port: what the loop needs from any language model, in the AI SDK's vocabulary (V4).
 *
 * Guarantees of every adapter: `stream` never throws and never rejects while it is read; exactly one `finish` is the last
 * part, also after an error or an abort; a failure is an `error` part with `retryable`; a `tool-call` is complete and
 * its input is parsed. Readers ignore part types that they do not know.
 */

/** Names a model as `provider/model`. */
export type ModelRef = `${string}/${string}`;

export type ReasoningLevel = "low" | "medium" | "high";

export type ModelMessage =
	| { readonly role: "user"; readonly text: string }
	| {
			readonly role: "assistant";
			readonly text: string;
			readonly toolCalls: readonly ToolCall[];
			/** What the adapter that gave this answer wants back with it (signed thinking, say). Nobody else looks into it. */
			readonly replay?: unknown;
	  }
	| {
			readonly role: "tool";
			readonly toolCallId: string;
			readonly toolName: string;
			readonly text: string;
			readonly isError: boolean;
	  };

export interface ToolCall {
	readonly toolCallId: string;
	readonly toolName: string;
	/** Parsed JSON; not yet checked against the tool's schema. */
	readonly input: unknown;
	/** Why there is no usable input, e.g. cut or broken JSON. Such a call is answered and never executed. */
	readonly inputError?: string;
}

/** A tool as the model sees it. */
export interface ToolSchema {
	readonly name: string;
	readonly description: string;
	/** JSON schema of the input. */
	readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
	readonly system: string;
	readonly messages: readonly ModelMessage[];
	readonly tools: readonly ToolSchema[];
	readonly reasoning?: ReasoningLevel;
	/** `none`: the tools are shown, so that the history makes sense, and may not be called. Default `auto`. */
	readonly toolChoice?: "auto" | "none";
	readonly maxOutputTokens?: number;
	readonly signal: AbortSignal;
	/** Called for payload that makes no part yet (pieces of a call's input), so that a watchdog sees a model at work. */
	readonly onProgress?: () => void;
}

export type ModelPart =
	| { readonly type: "text-start"; readonly id: string }
	| { readonly type: "text-delta"; readonly id: string; readonly delta: string }
	| { readonly type: "text-end"; readonly id: string }
	| { readonly type: "reasoning-start"; readonly id: string }
	| { readonly type: "reasoning-delta"; readonly id: string; readonly delta: string }
	| { readonly type: "reasoning-end"; readonly id: string }
	| { readonly type: "response-metadata"; readonly modelId: string }
	| ({ readonly type: "tool-call" } & ToolCall)
	/** Goes into the assistant message's `replay`. At most one. */
	| { readonly type: "replay"; readonly data: unknown }
	| { readonly type: "error"; readonly error: ModelError }
	| { readonly type: "finish"; readonly finishReason: FinishReason; readonly usage: ModelUsage };

export type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "aborted" | "other";

/** What kind of failure it was; the loop and the surfaces decide on this, never on the message. */
export type ModelErrorKind =
	/** No or wrong key, or no consent. */
	| "auth"
	/** Money or quota is used up: no retry helps. */
	| "quota"
	| "rate-limit"
	| "overload"
	/** The request is larger than the model's window. */
	| "context-overflow"
	| "bad-request"
	| "not-found"
	| "content-filter"
	| "network"
	/** The answer does not follow the protocol. */
	| "protocol"
	| "unknown";

export interface ModelError {
	readonly kind?: ModelErrorKind;
	readonly message: string;
	readonly retryable: boolean;
	readonly retryAfterMs?: number;
	readonly statusCode?: number;
}

export interface ModelUsage {
	readonly inputTokens: { readonly total: number; readonly cacheRead: number };
	readonly outputTokens: { readonly total: number; readonly reasoning: number };
	/** `null` where the price is not known; never a silent zero. */
	readonly usd: number | null;
	/** True where the provider gave no figures and ours are counted. */
	readonly isEstimate: boolean;
}

export interface Model {
	readonly ref: ModelRef;
	/** As people see it, e.g. in the tree. */
	readonly label: string;
	/** How many tokens a request and its answer may have, where that is known. */
	readonly contextWindow?: number | undefined;
	stream(request: ModelRequest): AsyncIterable<ModelPart>;
}

/** What a model is taken to hold that does not say it. */
export const usualContextWindow = 128_000;

/** One vendor, or one endpoint that speaks a vendor's dialect. */
export interface ModelProvider {
	readonly id: string;
	readonly label: string;
	/** Undefined when this provider has no such model. */
	model(modelId: string): Model | undefined;
	/** Why none of its models can answer now, and what to do, in sentences; undefined where nothing is in the way. Never rejects. */
	findObstacle?(): Promise<string | undefined>;
	/** Whether the person set it up for use: without that, nobody gets it who did not ask for it. Never rejects. */
	isSetUp?(): Promise<boolean>;
	/** The model that it is used with where none is named. Never rejects. */
	defaultModelId?(): Promise<string | undefined>;
	/** The same with the keys that these agents may use; absent where no key is needed. */
	forAgents?(chain: KeyChain): ModelProvider;
}
