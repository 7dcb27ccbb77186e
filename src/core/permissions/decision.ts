import type { Rule } from "./rule.ts";
import type { AnswerScope, Ask, Decision, SideEffect } from "./sideEffect.ts";

export const noRule = "No rule allows it";

/** How far an answer may reach where nothing holds it back. */
export const wideScopes = ["run", "agent", "always"] as const;

/** A rule in words that a person can find it by. */
export function nameRule(rule: Rule): string {
	return `rule ${rule.text} from ${rule.origin}`;
}

export function allow(because: string, path = ""): Decision {
	return { verdict: "allow", path, because };
}

export function deny(reason: string): Decision {
	return { verdict: "deny", reason };
}

interface Question {
	readonly path?: string;
	readonly subject: string;
	readonly why: string;
	/** Nothing beyond this once where missing. */
	readonly scopes?: readonly AnswerScope[];
	readonly rules?: readonly string[];
}

export function ask(effect: SideEffect, { path = "", subject, why, scopes = [], rules = [] }: Question): Decision {
	const question: Ask = { effect, subject, why, offers: scopes.map((scope) => ({ scope, rules })) };
	return { verdict: "ask", path, ask: question };
}
