import { explainCatalog } from "../core/catalog/explainCatalog.ts";
import { toExplanationText } from "../core/config/explanationText.ts";
import { readCatalogCall } from "./catalogOptions.ts";

/** `muster explain [name]`: each effective value with its layer, file and line, what it shadows, and why it holds. */
export async function explainVerb(args: readonly string[]): Promise<number> {
	const { catalog, isJson, words } = await readCatalogCall(args, 1);
	const explanation = explainCatalog(catalog);
	process.stdout.write(isJson ? `${JSON.stringify(explanation)}\n` : toExplanationText(explanation, words[0]));
	return 0;
}
