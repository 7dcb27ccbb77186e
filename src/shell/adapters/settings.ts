import * as vscode from "vscode";
import { readSetting, type SettingName, type Settings } from "../../core/config/settings.ts";

/** The current value of a setting under `muster.`. */
export function getSetting<Name extends SettingName>(name: Name, warn: (message: string) => void): Settings[Name] {
	return readSetting(name, vscode.workspace.getConfiguration("muster").get(name), warn);
}

/** The value that the user has given it; undefined where only its default holds. */
export function getOwnSetting<Name extends SettingName>(
	name: Name,
	warn: (message: string) => void,
): Settings[Name] | undefined {
	const own = vscode.workspace.getConfiguration("muster").inspect(name)?.globalValue;
	return own === undefined ? undefined : readSetting(name, own, warn);
}
