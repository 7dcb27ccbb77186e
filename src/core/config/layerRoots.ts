import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { isInside } from "../base/isInside.ts";
import type { ConfigProblem } from "./configProblem.ts";

/** The folders that a run's configuration, skills and agents come from, as they were named. Blank ones count as absent. */
export interface LayerInputs {
	/** The user's own, whatever else holds. */
	readonly homeDir: string;
	/** Where role packs are; without it, in home's `.agents/roles`. */
	readonly rolesDir?: string;
	readonly role?: string;
	/** The open folder, or the one that the call names. Leave it out where the folder is not trusted. */
	readonly repoDir?: string;
	/** The folder of a static agent, which is its home layer. */
	readonly workspaceDir?: string;
}

export interface LayerRoot {
	readonly layer: "home" | "role" | "repo";
	readonly path: string;
	/** Without links. */
	readonly realPath: string;
	/** Whether the repository decides what is in it, though it is not the repo layer. */
	readonly isInRepo: boolean;
}

export interface LayerRoots {
	/** The user's home; absent when there is no such folder. */
	readonly home?: LayerRoot;
	/** The role's pack, else the static agent's folder, else home. */
	readonly base?: LayerRoot;
	/** Absent when there is none, and when it is the same folder as the base: that is one layer. */
	readonly repo?: LayerRoot;
	readonly problems: readonly ConfigProblem[];
}

/**
 * Chooses the layers. A valid role pack stands in for home as the base; the repo always lies on top. Two names for one
 * folder, by real path, are one layer.
 */
export async function resolveLayerRoots(inputs: LayerInputs): Promise<LayerRoots> {
	const problems: ConfigProblem[] = [];
	const homeDir = inputs.homeDir.trim();
	const repoDir = inputs.repoDir?.trim() ?? "";
	const repoPath = await realFolder(repoDir);
	const toRoot = async (layer: LayerRoot["layer"], path: string): Promise<LayerRoot | undefined> => {
		const realPath = await realFolder(path);
		return realPath === undefined ? undefined : { layer, path, realPath, isInRepo: isBelow(repoPath, realPath) };
	};

	if (repoDir !== "" && repoPath === undefined) problems.push(describeMissing(repoDir, "repo"));
	const home = await toRoot("home", homeDir);
	const rolePack = await findRolePack(inputs, homeDir, problems);
	const workspaceDir = resolveFolder(inputs.workspaceDir, homeDir);
	const workspace = await toRoot("home", workspaceDir);
	if (workspaceDir !== "" && workspace === undefined) problems.push(describeMissing(workspaceDir, "workspace"));
	const base = (rolePack === undefined ? undefined : await toRoot("role", rolePack)) ?? workspace ?? home;
	const repo = await toRoot("repo", repoDir);
	if (base === undefined && repo === undefined) problems.push(describeNothing(homeDir));
	const isOneLayer = isSamePath(repo?.realPath, base?.realPath);
	// What is the user's own stays so, wherever it is; opening it as a folder takes nothing from it.
	const own = home && { ...home, isInRepo: false };
	return {
		...(own && { home: own }),
		...(base && { base: own && isSamePath(own.realPath, base.realPath) ? own : base }),
		...(repo && !isOneLayer && { repo }),
		problems,
	};
}

function isSamePath(one: string | undefined, other: string | undefined): boolean {
	return isBelow(one, other) && isBelow(other, one);
}

function isBelow(root: string | undefined, path: string | undefined): boolean {
	return root !== undefined && path !== undefined && isInside(root, path);
}

async function findRolePack(
	inputs: Pick<LayerInputs, "rolesDir" | "role">,
	homeDir: string,
	problems: ConfigProblem[],
): Promise<string | undefined> {
	const role = inputs.role?.trim() ?? "";
	if (role === "") return undefined;
	const rolesDir = resolveFolder(inputs.rolesDir, homeDir) || join(homeDir, ".agents", "roles");
	const pack = join(rolesDir, role);
	if (/^[a-z0-9_-]+$/u.test(role) && (await isRolePack(pack))) return pack;
	const message = `There is no role pack "${role.slice(0, 60)}", so your own configuration is used. A pack is a folder in ${rolesDir} with .agents/config.toml or .agents/skills in it.`;
	problems.push({ severity: "warning", code: "role.notFound", message, file: rolesDir });
	return undefined;
}

/** Whether a role has a pack of its own. */
export async function hasRolePack(inputs: Pick<LayerInputs, "homeDir" | "rolesDir" | "role">): Promise<boolean> {
	return (await findRolePack(inputs, inputs.homeDir.trim(), [])) !== undefined;
}

async function isRolePack(folder: string): Promise<boolean> {
	const config = await stat(join(folder, ".agents", "config.toml")).catch(() => undefined);
	const skills = await stat(join(folder, ".agents", "skills")).catch(() => undefined);
	return config?.isFile() === true || skills?.isDirectory() === true;
}

async function realFolder(path: string): Promise<string | undefined> {
	if (path === "") return undefined;
	const realPath = await realpath(path).catch(() => undefined);
	const status = realPath === undefined ? undefined : await stat(realPath).catch(() => undefined);
	return status?.isDirectory() === true ? realPath : undefined;
}

/** A folder as people write it: from the user's home with `~`, else from Muster's. */
export function resolveFolder(written: string | undefined, homeDir: string): string {
	const folder = written?.trim() ?? "";
	if (folder === "") return "";
	return /^~(?=$|[\\/])/u.test(folder) ? join(homedir(), folder.slice(1)) : resolve(homeDir, folder);
}

function describeMissing(folder: string, what: "repo" | "workspace"): ConfigProblem {
	const name = what === "repo" ? "The folder to work in" : "The agent's workspace";
	const message = `${name}, ${folder}, is not there or is not a folder. Name a folder that exists.`;
	return { severity: "error", code: `config.${what}Dir`, message, file: folder };
}

function describeNothing(homeDir: string): ConfigProblem {
	const message = `Neither ${homeDir || "a home folder"} nor an open folder is there, so no configuration was read.`;
	return { severity: "warning", code: "config.noLayers", message, file: homeDir };
}
