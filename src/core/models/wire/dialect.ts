import type { ModelRequest } from "../modelPort.ts";
import type { Answer } from "./answer.ts";
import type { Json } from "./json.ts";

/** How one family of servers wants to be asked, and how it answers. */
export interface Dialect {
	/** As it stands in `replay`, so that no dialect reads another's. */
	readonly name: "chat" | "responses" | "anthropic";
	/** Below the base URL. */
	readonly path: string;
	headers(key: string | undefined): Readonly<Record<string, string>>;
	body(modelId: string, request: ModelRequest, baseUrl: URL): Json;
	decoder(answer: Answer): Decoder;
}

/** Tells the answer what the server said. Unknown events are no failure; an `{error}` never comes here. */
export interface Decoder {
	/** One event of the stream. */
	read(event: Json): void;
	/** `[DONE]`: nothing follows. */
	readDone(): void;
	/** The whole answer in one JSON object. */
	readWhole(answer: Json): void;
}
