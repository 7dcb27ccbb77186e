import * as z from "zod";
import { Settings } from "../../src/core/config/settings.ts";
import type { Manifest, SettingProperty } from "./manifest.ts";

/** The settings' part of package.json, in the order of the schema. Code marks in a description make it Markdown. */
export function settingProperties(): Record<string, SettingProperty> {
	const { properties = {} } = z.toJSONSchema(Settings, { io: "input", target: "draft-07" });
	return Object.fromEntries(
		Object.entries(properties).map(([name, schema]) => [`muster.${name}`, toProperty(schema as SettingProperty)]),
	);
}

/** The text of package.json with its settings brought up to date, and nothing else changed. */
export function withCurrentSettings(packageText: string): string {
	const manifest = JSON.parse(packageText) as Manifest;
	manifest.contributes.configuration.properties = settingProperties();
	return `${JSON.stringify(manifest, null, "\t")}\n`;
}

function toProperty({ type, scope, description, default: byDefault, ...limits }: SettingProperty): SettingProperty {
	const describedAs = String(description).includes("`") ? "markdownDescription" : "description";
	return { type, ...limits, default: byDefault, ...(scope !== undefined && { scope }), [describedAs]: description };
}
