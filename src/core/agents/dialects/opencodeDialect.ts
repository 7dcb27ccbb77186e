import type { AgentReading } from "../agentFile.ts";
import type { AgentDialect } from "./agentDialect.ts";
import type { ForeignAgent } from "./foreignAgent.ts";
import type { ForeignFields } from "./foreignFields.ts";
import { readForeignMarkdown } from "./foreignMarkdown.ts";
import { readModel, readThinking } from "./foreignModel.ts";
import { readOpencodeTools } from "./opencodePermissions.ts";

const about = { id: "opencode", title: "OpenCode" } as const;
const folders = [".opencode/agent", ".opencode/agents"];

/** OpenCode, versions 1 and 2: `.opencode/agent(s)` and the folders in them. The path is the name. */
export const opencodeDialect: AgentDialect = {
	...about,
	depth: 4,
	folders: (layer) => (layer === "home" ? [...folders, ".config/opencode/agent", ".config/opencode/agents"] : folders),
	matches: (name) => name.endsWith(".md"),
	read: (source, reading) =>
		readForeignMarkdown(source, reading, {
			dialect: about,
			withoutFrontmatter: "note",
			map: (fields, body, { path }) => readOpencodeAgent(fields, body, path, reading),
		}),
};

function readOpencodeAgent(
	fields: ForeignFields,
	body: string,
	path: string,
	{ vocabulary }: AgentReading,
): ForeignAgent {
	const color = fields.text("color");
	const maxTurns = fields.count("steps") ?? fields.count("maxSteps");
	const isOff = fields.flag("disable") === true || fields.flag("disabled") === true;
	return {
		name: path.replace(/\.md$/u, ""),
		description: fields.text("description"),
		prompt: body.trim() === "" ? (fields.text("prompt") ?? fields.text("system") ?? "") : body,
		...readOpencodeTools(fields, vocabulary),
		...readModel(fields, "model"),
		...readVariant(fields),
		...(maxTurns !== undefined && { maxTurns }),
		...(color !== undefined && { color }),
		...readVisibility(fields),
		...(isOff && { skipped: switchedOff }),
	};
}

/** A variant is named by whoever set up the model; often it is a level of thinking. */
function readVariant(fields: ForeignFields): Pick<ForeignAgent, "thinking"> {
	return /^(?:minimal|low|medium|high|xhigh|max)$/u.test(String(fields.data["variant"]))
		? readThinking(fields, "variant")
		: {};
}

function readVisibility(fields: ForeignFields): Pick<ForeignAgent, "visibility"> {
	if (fields.text("mode") === "primary") {
		const message = "It is a primary agent in OpenCode, which is talked to and not spawned. It is loaded as internal.";
		fields.inform("agent.primary", "mode", message);
		return { visibility: "internal" };
	}
	return fields.flag("hidden") === true ? { visibility: "internal" } : {};
}

const switchedOff = {
	code: "agent.disabled",
	message: "The agent is switched off in this file, so it is not loaded.",
};
