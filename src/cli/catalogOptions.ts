import { readdir } from "node:fs/promises";
import path from "node:path";
import { discoverCatalog, type Catalog } from "../core/catalog/discoverCatalog.ts";
import { knownProviderIds } from "../core/models/builtinProviders.ts";
import type { Place } from "./findStore.ts";
import { readCall } from "./storeOptions.ts";
import { UsageError } from "./usage.ts";

export interface CatalogCall {
	readonly catalog: Catalog;
	readonly isJson: boolean;
	/** What stands beside the options. */
	readonly words: readonly string[];
}

/** Reads the options of `explain`, and the catalog that it is about. */
export async function readCatalogCall(args: readonly string[], mostWords: number): Promise<CatalogCall> {
	const { place, isJson, values, words } = readCall(args, {
		options: { role: { type: "string" } },
		moreWords: mostWords,
	});
	return { catalog: await discover(place, values.role), isJson, words };
}

export interface CheckCall {
	/** One, or with `--roles` one without a role and one for each role pack. */
	readonly catalogs: readonly Catalog[];
	readonly format: "text" | "json" | "github";
}

/** Reads the options of `check`, and the catalogs that it is about. */
export async function readCheckCall(args: readonly string[]): Promise<CheckCall> {
	const { place, isJson, values } = readCall(args, {
		options: { role: { type: "string" }, roles: { type: "boolean" }, format: { type: "string" } },
	});
	const { role, roles: isOverRoles = false, format = isJson ? "json" : "text" } = values;
	if (isOverRoles && role !== undefined) throw new UsageError("--role names one pack and --roles means all: take one.");
	if (format !== "text" && format !== "json" && format !== "github")
		throw new UsageError(`There is no format “${format}”: take text, json or github.`);
	if (isJson && format !== "json") throw new UsageError(`--json and --format ${format} are two formats: take one.`);
	const roles = isOverRoles ? [undefined, ...(await listRoles(place.home))] : [role];
	return { catalogs: await Promise.all(roles.map((name) => discover(place, name))), format };
}

function discover(place: Place, role: string | undefined): Promise<Catalog> {
	return discoverCatalog({
		homeDir: place.home,
		repoDir: place.repo,
		...(role !== undefined && { role }),
		environment: process.env,
		providerIds: knownProviderIds,
	});
}

/** Every folder that is meant as a role pack; one that is none is a problem of its catalog. */
async function listRoles(home: string): Promise<readonly string[]> {
	const entries = await readdir(path.join(home, ".agents", "roles"), { withFileTypes: true }).catch(() => []);
	return entries
		.filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith("."))
		.map(({ name }) => name)
		.toSorted();
}
