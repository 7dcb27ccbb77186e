import * as z from "zod";
import { snakeCase } from "../../src/core/config/canonicalKeys.ts";
import { Settings } from "../../src/core/config/settings.ts";
import type { Manifest, SettingProperty } from "./manifest.ts";

/** The settings' part of package.json, in the order of the schema. Code marks in a description make it Markdown. */
export function settingProperties(): Record<string, SettingProperty> {
	const { properties = {} } = z.toJSONSchema(Settings, { io: "input", target: "draft-07", override: withWrittenKeys });
	return Object.fromEntries(
		Object.entries(properties).map(([name, schema]) => [`muster.${name}`, toProperty(schema as SettingProperty)]),
	);
}

/**
 * Keys as the documentation spells them. They may be spelled otherwise too, so none is required: what is missing is found
 * when the settings are read.
 */
function withWrittenKeys({
	zodSchema,
	jsonSchema,
	path,
}: Parameters<NonNullable<z.core.ToJSONSchemaParams["override"]>>[0]) {
	const isNested = path.length > 0;
	if (!isNested || !(zodSchema instanceof z.ZodObject) || jsonSchema.properties === undefined) return;
	delete jsonSchema.required;
	jsonSchema.properties = Object.fromEntries(
		Object.entries(jsonSchema.properties).map(([key, property]) => [snakeCase(key), property]),
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
