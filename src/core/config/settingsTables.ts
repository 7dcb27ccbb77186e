import type { ConfigProblem, SettingsLevel } from "./configProblem.ts";

/** What settings can say. Servers are not among them: they have a place of their own in every editor. */
export const settingsTables = [
	"agents",
	"bindings",
	"channels",
	"modelProviders",
	"modelRoles",
	"prices",
	"permissions",
	"onDuplicateAgent",
] as const;

/** Those that a workspace may have too. Its values are the repository's bytes, and can only narrow. */
export const repoSettingsTables = ["agents", "bindings", "channels"] as const satisfies readonly SettingsTable[];

export type SettingsTable = (typeof settingsTables)[number];

/** The values that are set at each level, by the names of the tables. */
export type SettingsValues = Readonly<Partial<Record<SettingsLevel, Readonly<Record<string, unknown>>>>>;

/** What stands for a file in problems and provenance. */
export const settingsNames: Readonly<Record<SettingsLevel, string>> = {
	user: "user settings",
	workspace: "workspace settings",
	folder: "folder settings",
};

/** Whether a problem is one of settings, which are no file that we read. */
export function isInSettings({ file }: Pick<ConfigProblem, "file">): boolean {
	return Object.values(settingsNames).includes(file);
}
