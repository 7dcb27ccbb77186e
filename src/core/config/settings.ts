import * as z from "zod";
import { Agents } from "./agentsFields.ts";
import { mapOf } from "./configFields.ts";
import { Binding, Channel, ModelProvider, ModelRoles, Permissions, Prices } from "./configSchema.ts";

/**
 * The settings, as people see them under `muster.`. Types, defaults and descriptions in package.json are generated from
 * here (`UPDATE=1`), and a guard test keeps them equal.
 *
 * `scope` is VS Code's: what could widen power has a scope that a repository cannot write.
 */
export const Settings = z.strictObject({
	homeDir: z.string().default("").meta({
		scope: "machine",
		description:
			"The folder whose `.agents` folder holds your own agents and skills, for every workspace. Empty: your home folder.",
	}),
	dataDir: z.string().default("").meta({
		scope: "machine",
		description:
			"Where Muster keeps runs and transcripts, one database per workspace folder. Empty: `.muster` in your home folder. Takes effect after a reload.",
	}),
	rolesDir: z.string().default("").meta({
		scope: "machine",
		description:
			"The folder with the role packs, one folder for each role. Empty: `.agents/roles` in the folder of `#muster.homeDir#`.",
	}),
	agents: Agents.default({}).meta({
		scope: "resource",
		description:
			"Static agents and what holds for all subagents, as `[agents]` in `.agents/config.toml`. In a workspace's settings it can only narrow what you allow.",
	}),
	bindings: z.array(Binding).default([]).meta({
		scope: "resource",
		description:
			"Whose words go to which agent, as `[[bindings]]` in `.agents/config.toml`. Not used in a workspace's settings.",
	}),
	channels: mapOf(Channel).default({}).meta({
		scope: "resource",
		description:
			"Where people talk to agents, as `[channels]` in `.agents/config.toml`. Tokens do not belong here. Not used in a workspace's settings.",
	}),
	modelProviders: mapOf(ModelProvider).default({}).meta({
		scope: "application",
		description:
			"Where models are, by the name before the slash in `provider/model`, as `[model_providers]` in the `.agents/config.toml` of your home. Keys do not belong here: use _Muster: Set API Key…_, or name an environment variable in `env_key`.",
	}),
	defaultModel: z
		.string()
		.regex(/^(?:[a-z0-9][\w.-]*\/\S+)?$/iu, "must be provider/model, or empty")
		.default("")
		.meta({
			scope: "application",
			description:
				"The model, as `provider/model`, that runs where neither the call nor the agent names one. Empty: the one chosen with _Muster: Pick Model_, else one of a provider that you have set up, else the demo model.",
		}),
	modelRoles: ModelRoles.default({}).meta({
		scope: "application",
		description:
			"The model that an agent's `modelRole` means, such as `Main` or `Compaction`, by the name of the role.",
	}),
	prices: Prices.default({}).meta({
		scope: "application",
		description:
			"What models cost, in US dollars for a million tokens, by the beginning of `provider/model`; the longest that fits counts. Comes before the built-in list prices.",
	}),
	permissions: Permissions.default({}).meta({
		scope: "application",
		description:
			"What subagents may do without asking, must ask for, and may never do. A rule is `tool` or `tool(pattern)`. Deny beats ask, and ask beats allow.",
	}),
	edits: z.enum(["ask", "allow"]).default("ask").meta({
		scope: "application",
		description:
			"Whether subagents ask before they write ordinary files of the workspace. Protected files, such as those of git, of editors and of agents, always ask.",
	}),
	"plan.approver": z.enum(["user", "agent"]).default("user").meta({
		scope: "application",
		description:
			"Who may approve the plan of a subagent: you alone, or the agent that asked for it too. What an agent approves runs no commands unasked.",
	}),
	"approvals.expireAfterMinutes": z.int().min(0).max(10_080).default(0).meta({
		scope: "application",
		description:
			"After how many minutes a question that nobody has answered counts as denied. 0: it waits until you answer, or its subagent ends. Plans always wait.",
	}),
	"webSearch.backend": z.enum(["off", "searxng", "brave", "tavily"]).default("off").meta({
		scope: "application",
		description:
			"What subagents search the web with. Brave and Tavily need a key: use _Muster: Set API Key…_, or the environment variable `BRAVE_API_KEY` or `TAVILY_API_KEY`.",
	}),
	"webSearch.baseUrl": z.string().default("").meta({
		scope: "application",
		description:
			"The address of the search service, such as `https://searx.example.org`. SearXNG needs one, and must give results as JSON. Empty: the vendor's own.",
	}),
	onDuplicateAgent: z.enum(["fail", "projectWins"]).default("fail").meta({
		scope: "application",
		description:
			"Which agent loads when the workspace has one with the name of yours: yours, with an error on the other file, or the workspace's.",
	}),
	"lanes.subagent": z.int().min(1).max(64).default(8).meta({
		scope: "application",
		description: "How many subagents of a workspace folder run at once. More than that queue, oldest first.",
	}),
	"lanes.main": z.int().min(1).max(64).default(4).meta({
		scope: "application",
		description: "How many turns of main agents of a workspace folder run at once. More than that queue, oldest first.",
	}),
	archiveAfterMinutes: z.int().min(0).default(60).meta({
		scope: "application",
		description:
			"How many minutes after its end, once it is announced, a run leaves the lists. It can still be found and read. 0: never.",
	}),
	"notifications.finished": z.boolean().default(true).meta({
		scope: "window",
		description: "Show a notification when a subagent has finished well. Failures are always shown.",
	}),
	"demo.pace": z.enum(["human", "off"]).default("human").meta({
		scope: "application",
		description: "How fast the built-in demo model writes: at reading speed, or at once. Takes effect after a reload.",
	}),
	"demo.script": z.string().default("").meta({
		scope: "machine",
		description:
			"A JSON file with scripted answers for the demo model, for trying things out and for tests. Empty: it answers by its own rules. Takes effect after a reload.",
	}),
});
export type Settings = z.infer<typeof Settings>;
export type SettingName = keyof Settings;

/** Reads one setting. A value that does not fit is replaced by the default, and said. */
export function readSetting<Name extends SettingName>(
	name: Name,
	value: unknown,
	warn: (message: string) => void,
): Settings[Name] {
	const schema = Settings.shape[name];
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data as Settings[Name];
	warn(`The setting muster.${name} is not usable and its default is taken: ${z.prettifyError(parsed.error)}`);
	return schema.parse(undefined) as Settings[Name];
}
