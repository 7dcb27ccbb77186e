import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../core/base/errors.ts";
import { discoverCatalog, type Catalog } from "../core/catalog/discoverCatalog.ts";
import { findRepo } from "./findStore.ts";
import { UsageError } from "./usage.ts";

export interface CatalogCall {
	readonly catalog: Catalog;
	readonly isJson: boolean;
	/** What stands beside the options. */
	readonly words: readonly string[];
}

/** Reads the options that `check` and `explain` share, and the catalog that they are about. */
export async function readCatalogCall(args: readonly string[], mostWords: number): Promise<CatalogCall> {
	const { values, positionals } = parse(args);
	if (positionals.length > mostWords) throw new UsageError(`“${positionals[mostWords]}” is one word too many.`);
	const catalog = await discoverCatalog({
		homeDir: path.resolve(values.home ?? process.env["MUSTER_HOME"] ?? os.homedir()),
		repoDir: path.resolve(values.repo ?? findRepo(process.cwd())),
		...(values.role !== undefined && { role: values.role }),
		environment: process.env,
		providerIds: ["demo"],
	});
	return { catalog, isJson: values.json === true, words: positionals };
}

function parse(args: readonly string[]) {
	const text = { type: "string" } as const;
	try {
		return parseArgs({
			args: [...args],
			allowPositionals: true,
			options: { repo: text, home: text, data: text, role: text, json: { type: "boolean" } },
		});
	} catch (error) {
		throw new UsageError(messageOf(error), { cause: error });
	}
}
