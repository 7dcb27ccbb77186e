import * as z from "zod";
import { agentNamePattern, longestAgentName } from "./agentName.ts";

/** No timer runs longer than a day; 0 is no timer at all. */
export const longestTimerSeconds = 86_400;

const text = z.string("must be text").trim().min(1, "must not be empty");
const flag = z.boolean("must be true or false");
const count = z.int("must be a whole number").min(1, "must be 1 or more");
const seconds = z
	.int("must be a whole number of seconds")
	.min(0, "must be 0 (no limit) or more")
	.transform((value) => Math.min(value, longestTimerSeconds));
const names = z.array(text, "must be a list of names").min(1, "names nothing; leave the field out instead");

function oneOf<const Values extends readonly string[]>(...values: Values) {
	return z.enum(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);
}

/**
 * The frontmatter of an agent file in Muster's own format. Strict: what is not known here is a mistake of the author,
 * who hears of it. Each message continues the sentence "«field» …".
 */
export const AgentFields = z.strictObject({
	name: z
		.string("must be text")
		.trim()
		.max(longestAgentName, `must have at most ${longestAgentName} characters`)
		.regex(agentNamePattern, "must be lower-case letters and digits, joined by single hyphens"),
	description: text,
	tools: z.exactOptional(names),
	disallowedTools: z.exactOptional(names),
	model: z.exactOptional(
		z.templateLiteral(
			[z.string().regex(/[a-z0-9][a-z0-9_.-]*/u), "/", z.string().regex(/\S+/u)],
			"must be provider/model, such as demo/demo",
		),
	),
	modelRole: z.exactOptional(text.regex(/^[A-Za-z][\w-]*$/u, "must be the name of a model role, such as Main")),
	thinking: z.exactOptional(oneOf("low", "medium", "high")),
	timeoutSeconds: z.exactOptional(seconds),
	runTimeoutSeconds: z.exactOptional(seconds),
	maxTurns: z.exactOptional(count),
	visibility: oneOf("user-facing", "internal").default("user-facing"),
	role: z.exactOptional(text.regex(/^[a-z0-9_-]+$/u, "must be lower-case letters, digits, _ and -")),
	skills: z.exactOptional(names),
	mcpServers: z.exactOptional(names),
	planMode: z.exactOptional(flag),
	isolation: z.exactOptional(oneOf("none", "worktree", "scratch")),
	announce: z.exactOptional(oneOf("compact", "full", "silent")),
	emitStructuredFindings: z.exactOptional(flag),
	budget: z.exactOptional(
		z.strictObject(
			{
				tokens: z.exactOptional(count),
				usd: z.exactOptional(z.number("must be a number").positive("must be more than 0")),
				turns: z.exactOptional(count),
				toolCalls: z.exactOptional(count),
				spawns: z.exactOptional(count),
			},
			"must be a map of tokens, usd, turns, toolCalls, spawns",
		),
	),
	onAsk: z.exactOptional(oneOf("inbox", "deny")),
	override: z.exactOptional(flag),
	color: z.exactOptional(text),
});
