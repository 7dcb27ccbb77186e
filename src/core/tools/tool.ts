import type * as z from "zod";
import type { Ask, SideEffect } from "../permissions/sideEffect.ts";
import type { ToolServices } from "./toolServices.ts";

/**
 * Something an agent can do, made by `defineTool`. It runs only through `dispatchToolCall`, after the gate has allowed
 * its effect.
 */
export interface Tool {
	readonly name: string;
	/** For the model: what it does, when to use it, what comes back. */
	readonly description: string;
	readonly input: z.ZodType;
	/** The schema as the model sees it, where it is not ours; `input` is checked all the same. */
	readonly jsonSchema?: Readonly<Record<string, unknown>>;
	/** Whose tool it is, where an MCP server has it. */
	readonly origin?: ToolOrigin;
	/** Checks an input against the schema. Does nothing yet. */
	prepare(input: unknown): PreparedToolCall | UnusableInput;
}

/** What the gate needs to know about a tool of an MCP server. What a server says of itself lowers no approval. */
export interface ToolOrigin {
	/** As both are called in the configuration and by the server; rules use these. */
	readonly server: string;
	readonly tool: string;
	/** Of all that the server says about the tool. An answer that lasts holds for this alone. */
	readonly hash: string;
	readonly approval: "allow" | "eachCall" | "firstUse";
	/** What the server claims. */
	readonly isReadOnly: boolean;
}

/** A call whose input is checked and bound. */
export interface PreparedToolCall {
	readonly ok: true;
	/** What this call is about to do, for the gate. */
	readonly effect: SideEffect;
	/** What people see while it runs, e.g. `src/cart.ts`. */
	readonly subject: string;
	execute(context: ToolContext): Promise<ToolResult>;
}

export interface UnusableInput {
	readonly ok: false;
	/** Names each field at fault and what was expected there. */
	readonly problem: string;
}

export interface ToolContext extends ToolServices {
	/** The real path that the gate allowed, and the only one to use. */
	readonly path: string;
	/** The real path of the workspace folder. */
	readonly root: string;
	/** The model's own id of this call. */
	readonly callId: string;
	/** Asks a person about what only the tool itself finds out; absent where nobody can be asked. */
	readonly ask?: (question: Ask) => Promise<PersonsAnswer>;
	/** Once aborted, the call settles soon; how does not matter. */
	readonly signal: AbortSignal;
}

export type PersonsAnswer =
	| { readonly isAllowed: true; readonly because: string }
	/** `reason` is written for the model. */
	| { readonly isAllowed: false; readonly reason: string };

/** Goes back to the model as it is; an error says what to do next. */
export interface ToolResult {
	readonly text: string;
	readonly isError: boolean;
}
