/**
 * What is wrong with a manifest, in sentences, when it is held to `contributions.ts`. Everything here is a pure function
 * of the manifest, so that the tests can also hand it one that has drifted.
 */
import {
	agentContextValue,
	approvalContextValues,
	commands,
	contextKeys,
	panelType,
	planScheme,
	runContextValues,
	secretContextValue,
	serverContextValues,
	skillContextValues,
	views,
} from "../../src/contributions.ts";
import type { Manifest, Versions } from "./manifest.ts";
import { parseWhen, type Condition } from "./whenClause.ts";

const titles = new Map<string, string>(Object.values(commands).map(({ id, title }) => [id, title]));
const viewIds: readonly string[] = [views.subagents, views.approvals, views.agents, views.skills, views.mcpServers];
const ownKeys: readonly string[] = Object.values(contextKeys);
const rowKinds: readonly string[] = [
	...Object.values(runContextValues),
	...Object.values(skillContextValues),
	...Object.values(approvalContextValues),
	...Object.values(serverContextValues),
	agentContextValue,
	secretContextValue,
];

const vscodeKeys: readonly string[] = [
	"view",
	"viewItem",
	"isWorkspaceTrusted",
	"false",
	"commentController",
	"commentThread",
	"commentThreadIsEmpty",
	"editorHasSelection",
];
const vscodeCommands: readonly string[] = ["workbench.trust.manage"];

/** Settings that a repository may set: the worst they do is a notification more or less. */
const harmlessSettings: readonly string[] = ["muster.notifications.finished"];
/** Settings whose workspace values are part of the repo layer, which can only narrow. Unread before the workspace is trusted. */
const narrowingSettings: readonly string[] = ["muster.agents", "muster.bindings", "muster.channels"];
/** The scopes that only the user's own settings can fill. */
const ownScopes: readonly (string | undefined)[] = ["application", "machine"];

export function commandProblems({ contributes }: Manifest): string[] {
	const contributed = new Map(contributes.commands.map(({ command, title }) => [command, title]));
	const menuCommands = Object.values(contributes.menus).flatMap((items) => items.map(({ command }) => command));
	const links = contributes.viewsWelcome.flatMap(({ contents }) => commandLinks(contents));
	return [
		...[...titles.keys()].filter((id) => !contributed.has(id)).map((id) => `The command ${id} is not contributed.`),
		...[...contributed].flatMap(([id, title]) => {
			if (!titles.has(id)) return [`The command ${id} is contributed, but not in contributions.ts.`];
			return titles.get(id) === title ? [] : [`The command ${id} is titled "${title}", not "${titles.get(id)}".`];
		}),
		...menuCommands
			.filter((id) => !titles.has(id))
			.map((id) => `A menu names the command ${id}, which does not exist.`),
		...links
			.filter((id) => !titles.has(id) && !vscodeCommands.includes(id))
			.map((id) => `A welcome text links to the command ${id}, which does not exist.`),
	];
}

export function viewProblems({ contributes }: Manifest): string[] {
	const containers = Object.values(contributes.viewsContainers).flatMap((list) => list.map(({ id }) => id));
	const contributed = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
	const welcomed = contributes.viewsWelcome.map(({ view }) => view);
	return [
		...differences("view container", containers, [views.container]),
		...differences("container of views", Object.keys(contributes.views), [views.container]),
		...differences("view", contributed, viewIds),
		...welcomed
			.filter((id) => !viewIds.includes(id))
			.map((id) => `A welcome text is for the view ${id}, which does not exist.`),
	];
}

export function whenProblems(manifest: Manifest): string[] {
	const conditions = whenClauses(manifest).flatMap(parseWhen);
	const used = new Set(conditions.map(({ key }) => key));
	const shown = rowKinds.filter((kind) => conditions.some((condition) => isAboutRow(condition, kind)));
	return [
		...conditions.flatMap(conditionProblems),
		...ownKeys.filter((key) => !used.has(key)).map((key) => `No when clause uses the context key ${key}.`),
		...rowKinds.filter((kind) => !shown.includes(kind)).map((kind) => `No menu is shown on a row that is ${kind}.`),
	];
}

export function activationProblems({ activationEvents }: Manifest): string[] {
	const known = [
		"onStartupFinished",
		`onWebviewPanel:${panelType}`,
		`onFileSystem:${planScheme}`,
		...viewIds.map((id) => `onView:${id}`),
		...[...titles.keys()].map((id) => `onCommand:${id}`),
	];
	return activationEvents.filter((event) => !known.includes(event)).map((event) => `${event} never happens.`);
}

/** What widens Muster's power must not be for a repository to set, not even for a trusted one. */
export function settingScopeProblems({ contributes, capabilities }: Manifest): string[] {
	const { properties } = contributes.configuration;
	const { restrictedConfigurations } = capabilities.untrustedWorkspaces;
	const repoSettings = [...harmlessSettings, ...narrowingSettings];
	return [
		...Object.entries(properties)
			.filter(([name, { scope }]) => !repoSettings.includes(name) && !ownScopes.includes(scope))
			.map(([name, { scope }]) => `A repository could set ${name}: its scope is ${scope ?? "window, by default"}.`),
		...narrowingSettings
			.filter((name) => !restrictedConfigurations.includes(name))
			.map((name) => `The setting ${name} is read before the workspace is trusted.`),
		...[...new Set([...repoSettings, ...restrictedConfigurations])]
			.filter((name) => !(name in properties))
			.map((name) => `The setting ${name} does not exist.`),
	];
}

/** VS Code makes one tree of all settings: what is a value can't be a branch too. */
export function settingNameProblems({ contributes }: Manifest): string[] {
	const names = Object.keys(contributes.configuration.properties);
	return names.flatMap((name) =>
		names
			.filter((other) => other.startsWith(`${name}.`))
			.map((other) => `The setting ${name} and the setting ${other} can't both have a value.`),
	);
}

/** A range would let two installs of one commit differ. */
export function pinProblems(manifest: Partial<Manifest>): string[] {
	const { dependencies, devDependencies, optionalDependencies, overrides } = manifest;
	const versions: Versions = { ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides };
	return Object.entries(versions)
		.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
		.map(([name, version]) => `${name} is not pinned: ${version}.`);
}

function differences(noun: string, actual: readonly string[], expected: readonly string[]): string[] {
	return [
		...expected.filter((id) => !actual.includes(id)).map((id) => `The ${noun} ${id} is not contributed.`),
		...actual.filter((id) => !expected.includes(id)).map((id) => `The ${noun} ${id} is not in contributions.ts.`),
	];
}

function commandLinks(markdown: string): string[] {
	return [...markdown.matchAll(/\(command:([\w.]+)/g)].map(([, id = ""]) => id);
}

function whenClauses({ contributes }: Manifest): string[] {
	const items = [contributes.views, contributes.menus].flatMap((groups) => Object.values(groups).flat());
	const clauses = [...items, ...contributes.viewsWelcome].map(({ when }) => when);
	const enablements = contributes.commands.map(({ enablement }) => enablement);
	return [...clauses, ...enablements].filter((clause) => clause !== undefined);
}

function conditionProblems(condition: Condition): string[] {
	const { key, value = "" } = condition;
	if (!ownKeys.includes(key) && !vscodeKeys.includes(key)) return [`There is no context key ${key}.`];
	if (key === "view" && !viewIds.includes(value))
		return [`A when clause names the view ${value}, which does not exist.`];
	if (key === "viewItem" && !rowKinds.some((kind) => isAboutRow(condition, kind))) return [`No row is ${value}.`];
	return [];
}

function isAboutRow({ key, operator, value = "" }: Condition, kind: string): boolean {
	if (key !== "viewItem") return false;
	return operator === "=~" ? new RegExp(value.slice(1, value.lastIndexOf("/"))).test(kind) : value === kind;
}
