import type { TextEdit } from "../base/textEdit.ts";
import { addListItem, addMapEntry, findChild, replacePair, type ConfigSource } from "../config/addToConfig.ts";
import { parseConfigFile } from "../config/configFile.ts";
import { type ConfigOrigin, isFromRepo } from "../config/configProblem.ts";
import type { Config } from "../config/configSchema.ts";
import { readJson, readToml } from "../config/configText.ts";
import { parseLegacyConfig } from "../config/legacyConfig.ts";
import type { McpServerFields } from "../config/mcpServerFields.ts";
import type { Path, PositionTree } from "../config/positionTree.ts";
import { findSecretOwner, type SecretOwner } from "../config/secretOwner.ts";
import { parseSettingsConfig } from "../config/settingsConfig.ts";
import { takeInlineSecret } from "../config/takeInlineSecret.ts";
import { serverSecretPlace } from "../mcp/serverSecrets.ts";
import type { SecretPlace } from "../ports/secrets.ts";

/** How a secret leaves a file: where it is kept from now on, and what the file says instead. */
export interface SecretMove {
	readonly secret: string;
	readonly place: SecretPlace;
	/** Of the text as it was. */
	readonly edits: readonly TextEdit[];
	/** The variable that the file names now; absent where nothing needs to be said. */
	readonly variable?: string;
}

/**
 * Plans *Move to Secret Storage* for the secret at a path, in its author's spelling, of a configuration's text. `file` is
 * where the text is, which of settings is not what they are called. Undefined where there is no secret any more, or no
 * place from which its owner would find it.
 */
export async function planSecretMove(
	origin: ConfigOrigin,
	file: string,
	text: string,
	path: Path,
): Promise<SecretMove | undefined> {
	const owner = findSecretOwner(path);
	const taken = await takeInlineSecret(file, text, path);
	const read = file.endsWith(".toml") ? await readToml(text) : readJson(text);
	if (owner === undefined || taken === undefined || "problem" in read) return undefined;
	const config = (await parse(origin, file, text)).value;
	const table = [path[0], path[1]].reduce<PositionTree | undefined>(
		(tree, step) => (step === undefined ? undefined : tree?.children.get(step)),
		read.tree,
	);
	const node = path.reduce<PositionTree | undefined>((tree, step) => tree?.children.get(step), read.tree);
	if (table === undefined || node === undefined) return undefined;
	const source = { file, text };
	switch (owner.kind) {
		case "provider":
			return isFromRepo(origin) ? undefined : moveProviderKey(owner.provider, taken, config);
		case "account":
			return moveAccountToken(owner, origin, taken, { source, node, path, tree: read.tree });
		case "bearer":
		case "header":
		case "variable": {
			const fields = config.mcpServers?.[owner.server];
			if (fields === undefined) return undefined;
			const named = nameVariable(owner, fields, { source, node, table, removal: taken.edit });
			if (named === undefined) return undefined;
			const holder = { name: owner.server, file: origin.file, fields };
			const secret = owner.kind === "bearer" ? withoutScheme(taken.secret) : taken.secret;
			return { secret, place: serverSecretPlace(holder, named.variable), ...named };
		}
	}
}

async function parse(origin: ConfigOrigin, file: string, text: string) {
	if (origin.settings !== undefined) return parseSettingsConfig(origin, text);
	return file.endsWith(".toml") ? parseConfigFile(origin, text) : parseLegacyConfig(origin, text);
}

type Taken = NonNullable<Awaited<ReturnType<typeof takeInlineSecret>>>;

/** A provider looks in Secret Storage before all else, so the file need not say anything. */
function moveProviderKey(id: string, { secret, edit }: Taken, config: Config): SecretMove | undefined {
	const provider = config.modelProviders?.[id];
	if (provider === undefined || /^basic\s/iu.test(secret)) return undefined;
	const place = { providerId: id, origin: new URL(provider.baseUrl).origin };
	return { secret: withoutScheme(secret), place, edits: [edit] };
}

interface AccountText {
	readonly source: ConfigSource;
	readonly node: PositionTree;
	readonly path: Path;
	readonly tree: PositionTree;
}

function moveAccountToken(
	{ channel, account }: Extract<SecretOwner, { kind: "account" }>,
	{ file }: ConfigOrigin,
	{ secret, edit }: Taken,
	{ source, node, path, tree }: AccountText,
): SecretMove | undefined {
	const parent = path.slice(0, -1).reduce<PositionTree | undefined>((at, step) => at?.children.get(step), tree);
	const isNamed = parent !== undefined && findChild(parent, "tokenEnvVar") !== undefined;
	const variable = toVariable(channel, account, "TOKEN");
	const replaced = isNamed ? edit : replacePair(source, node, "tokenEnvVar", variable);
	if (replaced === undefined) return undefined;
	const place = { providerId: `account:${JSON.stringify([channel, account])}`, origin: file };
	return { secret, place, edits: [replaced], ...(!isNamed && { variable }) };
}

interface ServerText {
	readonly source: ConfigSource;
	readonly node: PositionTree;
	readonly table: PositionTree;
	readonly removal: TextEdit;
}

/** What the file says in place of a server's secret: the name of a variable, as it says it of any other secret. */
function nameVariable(
	owner: Extract<SecretOwner, { server: string }>,
	fields: McpServerFields,
	{ source, node, table, removal }: ServerText,
): { readonly variable: string; readonly edits: readonly TextEdit[] } | undefined {
	const both = (added: TextEdit | undefined) => added && [removal, added];
	const plan = (variable: string, edits: readonly TextEdit[] | undefined) => edits && { variable, edits };
	const { server } = owner;
	if (owner.kind === "bearer") {
		if (fields.bearerTokenEnvVar !== undefined) return plan(fields.bearerTokenEnvVar, [removal]);
		const variable = toVariable(server, "TOKEN");
		const replaced = replacePair(source, node, "bearerTokenEnvVar", variable);
		return plan(variable, replaced && [replaced]);
	}
	const { name } = owner;
	if (owner.kind === "header") {
		const named = fields.envHttpHeaders?.[name];
		if (named !== undefined) return plan(named, [removal]);
		const variable = toVariable(server, name);
		return plan(variable, both(addMapEntry(source, table, "envHttpHeaders", [name, variable])));
	}
	const isNamed = fields.envVars?.some((each) => (typeof each === "string" ? each : each.name) === name) === true;
	return plan(name, isNamed ? [removal] : both(addListItem(source, table, "envVars", name)));
}

function toVariable(...words: readonly string[]): string {
	const name = words
		.join("_")
		.toUpperCase()
		.replaceAll(/[^A-Z0-9]+/gu, "_");
	return /^[0-9]/u.test(name) ? `_${name}` : name;
}

function withoutScheme(secret: string): string {
	return secret.trim().replace(/^bearer\s+/iu, "");
}
