import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../vscode/paths.ts";

/** The parts of package.json that the guards look at. */
export interface Manifest {
	name: string;
	publisher: string;
	displayName: string;
	engines: { vscode: string };
	dependencies?: Versions;
	devDependencies: Versions;
	optionalDependencies?: Versions;
	overrides?: Versions;
	enabledApiProposals?: string[];
	activationEvents: string[];
	contributes: {
		commands: { command: string; title: string; enablement?: string }[];
		viewsContainers: Record<string, { id: string }[]>;
		views: Record<string, { id: string; when?: string }[]>;
		viewsWelcome: { view: string; when?: string; contents: string }[];
		menus: Record<string, { command: string; when?: string }[]>;
		configuration: { properties: Record<string, SettingProperty> };
	};
	capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}

export type Versions = Record<string, string>;

/** One setting as VS Code reads it. */
export interface SettingProperty {
	scope?: string;
	default?: unknown;
	[keyword: string]: unknown;
}

export const manifestFile = path.join(projectRoot, "package.json");

export function readManifest(): Manifest {
	return JSON.parse(readFileSync(manifestFile, "utf8")) as Manifest;
}
