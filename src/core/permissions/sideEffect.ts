/** What a tool call is about to do, in the words of the permission gate. Paths are as the model gave them. */
export type SideEffect =
	/** Touches nothing outside the run: a to-do list, a skill's text. */
	| { readonly kind: "none" }
	| { readonly kind: "read"; readonly path: string }
	| { readonly kind: "write"; readonly path: string }
	/** `command` is what the shell is given, byte for byte; it runs in the workspace folder. */
	| { readonly kind: "run"; readonly command: string }
	| { readonly kind: "fetch"; readonly url: string }
	| { readonly kind: "search"; readonly query: string }
	/** A call of an MCP server's tool. What the server claims of it lowers no approval. */
	| {
			readonly kind: "mcp";
			readonly server: string;
			readonly tool: string;
			readonly approval: "allow" | "eachCall" | "firstUse";
			readonly isReadOnly: boolean;
	  }
	/** Starting or calling an MCP server that a repository brings; `command` is all of it, to the byte. */
	| { readonly kind: "start"; readonly server: string; readonly command: string };

/** How far an answer may reach. */
export type AnswerScope = "once" | "run" | "agent" | "always";

/** A question for a person: what would happen, to the byte, and why it is not decided already. */
export interface Ask {
	/** `spawn`: one run more than a budget leaves room for. The engine finds that out itself, and no gate is asked. */
	readonly effect: SideEffect | { readonly kind: "spawn" };
	/** The exact bytes: the command, the URL, the real path. */
	readonly subject: string;
	/** Why it is asked, for the person, e.g. `Protected path`. */
	readonly why: string;
	/** The scopes that may be offered besides `once`, with the rules that each would store. */
	readonly offers: readonly { readonly scope: AnswerScope; readonly rules: readonly string[] }[];
}

/** The gate's answer. `path` is the real path that was checked, and the only one the tool may use; "" where none is. */
export type Decision =
	/** `because` names the rule or default that allows it. */
	| { readonly verdict: "allow"; readonly path: string; readonly because: string }
	| { readonly verdict: "ask"; readonly path: string; readonly ask: Ask }
	/** `reason` is written for the model: what is not allowed, and what to do instead. */
	| { readonly verdict: "deny"; readonly reason: string };

/** The one door of every side effect. Fails closed: what it cannot judge, it denies. */
export interface PermissionGate {
	/** `tool` is the canonical name of the tool that asks. */
	decide(effect: SideEffect, tool: string): Promise<Decision>;
}
