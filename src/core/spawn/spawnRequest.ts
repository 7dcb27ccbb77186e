import * as z from "zod";
import { nearestName } from "../base/nearestName.ts";

/** No timer runs longer than a day; 0 is no timer at all. */
const longestTimerSeconds = 86_400;
const mostMetadataBytes = 4_096;

/** What a person would see nothing of does not count. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const words = (what: string) => z.string(`must be text`).refine((text) => visible.test(text), what);
const seconds = z
	.number("must be a number of seconds")
	// Less than one would be cut to 0, which is no limit at all.
	.refine((value) => value === 0 || value >= 1, "must be 0 (no limit), or 1 or more")
	.refine(Number.isFinite, "must be finite")
	.transform((value) => Math.min(Math.floor(value), longestTimerSeconds));
const positive = z.number("must be a number").positive("must be more than 0");
const waitRange = "must be true, or 1 to 600 seconds";
const count = z.int("must be a whole number").positive("must be 1 or more");

/** What it takes to spawn, under its canonical names. An unknown parameter is an error, never ignored. */
export const SpawnRequest = z.strictObject({
	task: words("say what the subagent is to do"),
	agent: z.exactOptional(words("name the agent").transform((name) => name.trim())),
	/** Facts for this one call; goes into the first message, never into the system prompt. */
	context: z.exactOptional(z.string("must be text")),
	label: z.exactOptional(z.string("must be text").max(200, "must have at most 200 characters").transform(oneLine)),
	taskId: z.exactOptional(z.string("must be text").max(200, "must have at most 200 characters")),
	metadata: z.exactOptional(
		z
			.record(z.string(), z.string("must hold texts only"), "must be a map of texts")
			.refine((map) => Buffer.byteLength(JSON.stringify(map)) <= mostMetadataBytes, "must be at most 4 KB"),
	),
	model: z.exactOptional(
		z.string("must be text").regex(/^[^/\s]+\/\S+$/u, "must be provider/model, such as demo/demo"),
	),
	thinking: z.exactOptional(z.enum(["low", "medium", "high"], "must be low, medium or high")),
	role: z.exactOptional(
		z
			.string("must be text")
			.trim()
			.toLowerCase()
			.regex(/^[a-z0-9_-]+$/u, "must be letters, digits, _ and -"),
	),
	repoDir: z.exactOptional(words("name a folder")),
	mcpConfigPath: z.exactOptional(words("name a file")),
	planMode: z.exactOptional(z.boolean("must be true or false")),
	runTimeoutSeconds: z.exactOptional(seconds),
	cleanup: z.exactOptional(z.enum(["keep", "delete"], "must be keep or delete")),
	deliver: z.exactOptional(z.boolean("must be true or false")),
	announce: z.exactOptional(z.boolean("must be true or false")),
	budget: z.exactOptional(
		z.strictObject(
			{
				tokens: z.exactOptional(count),
				usd: z.exactOptional(positive),
				turns: z.exactOptional(count),
				toolCalls: z.exactOptional(count),
				spawns: z.exactOptional(count),
			},
			"must be a map of tokens, usd, turns, toolCalls, spawns",
		),
	),
	isolation: z.exactOptional(z.enum(["none", "worktree", "scratch"], "must be none, worktree or scratch")),
	/** How long the caller waits for the result before it goes on. */
	wait: z.exactOptional(
		z
			.union([z.literal(true), z.int(waitRange).min(1, waitRange).max(600, waitRange)], waitRange)
			.transform((value) => (value === true ? 60 : value)),
	),
});
export type SpawnRequest = z.infer<typeof SpawnRequest>;

/** Other names for the same parameters, as the systems use them whose prompts people bring along. */
const aliases: Readonly<Record<string, keyof SpawnRequest>> = {
	agentId: "agent",
	timeoutSeconds: "runTimeoutSeconds",
};

export type ParsedRequest =
	| { readonly ok: true; readonly request: SpawnRequest }
	/** Says what is wrong with which parameter, and what to do. */
	| { readonly ok: false; readonly error: string };

/** Reads a call's parameters, whoever makes it: in snake_case or camelCase, under any of their names. */
export function parseSpawnRequest(raw: unknown): ParsedRequest {
	if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
		return refuse("the parameters must be an object with at least a task");
	}
	const given = new Map<string, { readonly name: string; readonly value: unknown }>();
	for (const [name, value] of Object.entries(raw)) {
		if (value === undefined) continue;
		const key = canonicalName(name);
		if (key === undefined) return refuse(describeUnknown(name));
		const earlier = given.get(key);
		if (earlier && JSON.stringify(earlier.value) !== JSON.stringify(value)) {
			return refuse(`${earlier.name} and ${name} mean the same and have different values; give one of them`);
		}
		given.set(key, earlier ?? { name, value });
	}
	const parsed = SpawnRequest.safeParse(Object.fromEntries([...given].map(([key, { value }]) => [key, value])));
	if (parsed.success) return { ok: true, request: parsed.data };
	const faults = parsed.error.issues.map(({ path, message }) => {
		const [key = "", ...rest] = path.map(String);
		const name = [given.get(key)?.name ?? key, ...rest].join(".");
		return given.has(key) || key === "" ? `${name} ${message}` : `${name} is missing`;
	});
	return refuse([...new Set(faults)].join("; "));
}

function canonicalName(name: string): keyof SpawnRequest | undefined {
	const camel = name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
	const key = Object.hasOwn(aliases, camel) ? aliases[camel] : camel;
	return key !== undefined && Object.hasOwn(SpawnRequest.shape, key) ? (key as keyof SpawnRequest) : undefined;
}

function describeUnknown(name: string): string {
	const shown = JSON.stringify(name.slice(0, 60));
	const nearest = nearestName(name, Object.keys(SpawnRequest.shape));
	return `there is no parameter ${shown}${nearest ? `; did you mean ${nearest}?` : ""}`;
}

function refuse(reason: string): ParsedRequest {
	return { ok: false, error: `The request cannot be used: ${reason}.` };
}

/** Labels stand in lists: control and direction characters would break them. */
function oneLine(text: string): string {
	return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
}
