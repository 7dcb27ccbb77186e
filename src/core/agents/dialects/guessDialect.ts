import { basename } from "node:path";
import { isRecord } from "../fieldProblem.ts";
import type { AgentDialect } from "./agentDialect.ts";
import { claudeDialect } from "./claudeDialect.ts";
import { clineDialect } from "./clineDialect.ts";
import { cursorDialect } from "./cursorDialect.ts";
import { netclawDialect } from "./netclawDialect.ts";
import { opencodeDialect } from "./opencodeDialect.ts";
import { vscodeDialect } from "./vscodeDialect.ts";

type Entries = Readonly<Record<string, unknown>>;

/** How much speaks for one dialect: a key that it alone has, or a way to write that others may have copied. */
interface Marks {
	readonly dialect: AgentDialect;
	readonly keys: readonly string[];
	readonly signs: readonly ((entries: Entries, file: string) => boolean)[];
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const toolsOf = ({ tools, disallowedTools }: Entries) =>
	[tools, disallowedTools].flatMap((value) => (Array.isArray(value) ? value.map(textOf) : textOf(value).split(",")));

const marks: readonly Marks[] = [
	{
		dialect: claudeDialect,
		keys: ["permissionMode", "hooks", "memory", "background", "effort", "initialPrompt"],
		signs: [
			({ model }) => /^(?:sonnet|opus|haiku|fable|inherit)\b/u.test(textOf(model)),
			(entries) => toolsOf(entries).some((tool) => /^\s*(?:\w+\(|mcp__|[A-Z][A-Za-z]+$)/u.test(tool)),
			({ mcpServers }) => Array.isArray(mcpServers) && mcpServers.some(isRecord),
			({ mcpServers }) => isRecord(mcpServers),
		],
	},
	{
		dialect: vscodeDialect,
		keys: [
			"agents",
			"argument-hint",
			"disable-model-invocation",
			"handoffs",
			"infer",
			"mcp-servers",
			"reasoning-effort",
			"target",
			"user-invocable",
		],
		signs: [
			(_, file) => file.endsWith(".agent.md"),
			({ model }) => Array.isArray(model) || /\((?:copilot|[a-z]+)\)\s*$/u.test(textOf(model)),
			(entries) => toolsOf(entries).some((tool) => /^[\w.-]+\/[\w.*-]+$/u.test(tool.trim())),
			(entries) => toolsOf(entries).some((tool) => vscodeTools.has(tool.trim().toLowerCase())),
		],
	},
	{
		dialect: opencodeDialect,
		keys: [
			"disable",
			"hidden",
			"maxSteps",
			"mode",
			"permission",
			"permissions",
			"steps",
			"temperature",
			"top_p",
			"variant",
		],
		signs: [({ tools }) => isRecord(tools)],
	},
	{ dialect: cursorDialect, keys: ["readonly", "is_background"], signs: [] },
	{ dialect: clineDialect, keys: ["modelId", "providerId", "maxIterations"], signs: [] },
	{
		dialect: netclawDialect,
		keys: ["prefillTimeoutSeconds"],
		signs: [
			({ visibility }) => /^(?:userfacing|user-facing|internal)$/iu.test(textOf(visibility)),
			({ modelRole }) => /^(?:main|compaction)$/iu.test(textOf(modelRole)),
		],
	},
];

const vscodeTools: ReadonlySet<string> = new Set([
	"changes",
	"codebase",
	"editfiles",
	"execute",
	"findtestfiles",
	"githubrepo",
	"problems",
	"runcommands",
	"runtasks",
	"search",
	"usages",
	"vscodeapi",
]);

/** Whose format frontmatter that does not load as ours is probably in; undefined when nothing speaks for any. */
export function guessDialect(entries: Entries, file: string): AgentDialect | undefined {
	const scored = marks.map(({ dialect, keys, signs }) => ({
		dialect,
		score:
			2 * keys.filter((key) => Object.hasOwn(entries, key)).length +
			signs.filter((sign) => sign(entries, basename(file))).length,
	}));
	const most = Math.max(...scored.map(({ score }) => score));
	return most === 0 ? undefined : scored.find(({ score }) => score === most)?.dialect;
}
