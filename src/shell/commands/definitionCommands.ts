import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { explainCommand } from "./explainCommand.ts";
import type { CommandHandlers } from "./registerCommands.ts";
import { setUpWorkspaceCommand } from "./setUpWorkspaceCommand.ts";
import { switchSkill } from "./switchSkill.ts";

type DefinitionCommand =
	| "newAgent"
	| "newSkill"
	| "enableSkill"
	| "disableSkill"
	| "explainConfiguration"
	| "setUpWorkspace";

/** What writes, switches or explains the files that define things. */
export function createDefinitionCommands(
	runtimes: WorkspaceRuntimes,
	catalogs: WorkspaceCatalogs,
): Pick<CommandHandlers, DefinitionCommand> {
	return {
		newAgent: async () => (await import("./newDefinitionCommands.ts")).newAgentCommand(),
		newSkill: async () => (await import("./newDefinitionCommands.ts")).newSkillCommand(),
		enableSkill: (row) => switchSkill(catalogs, row, "enabled"),
		disableSkill: (row) => switchSkill(catalogs, row, "disabled"),
		explainConfiguration: () => explainCommand(catalogs),
		setUpWorkspace: () => setUpWorkspaceCommand(runtimes),
	};
}
