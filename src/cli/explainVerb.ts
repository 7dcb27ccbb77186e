import type { Catalog } from "../core/catalog/discoverCatalog.ts";
import { explainCatalog } from "../core/catalog/explainCatalog.ts";
import type { Explanation } from "../core/config/explainConfig.ts";
import { isNamed, toExplanationText } from "../core/config/explanationText.ts";
import { readCatalogCall } from "./catalogOptions.ts";
import { toCatalogReport } from "./catalogReport.ts";

/** `muster explain [name]`: each effective value with its layer, file and line, what it shadows, and why it holds. */
export async function explainVerb(args: readonly string[]): Promise<number> {
	const { catalog, isJson, words } = await readCatalogCall(args, 1);
	const explanation = explainCatalog(catalog);
	const [name] = words;
	const text = () => toExplanationText(explanation, name);
	process.stdout.write(isJson ? `${JSON.stringify(toJson(catalog, explanation, name))}\n` : text());
	return 0;
}

/** What `check` prints, with the provenance of each, and of every value besides. With a name, what has that name. */
function toJson(catalog: Catalog, explanation: Explanation, wanted: string | undefined) {
	const { layers, agents, skills, mcpServers, problems } = toCatalogReport([catalog]);
	const isMeant = ({ name }: { readonly name: string }) => isNamed(name, wanted);
	const explain = <Row extends { readonly name: string; readonly file: string | null }>(
		rows: readonly Row[],
		prefixes: readonly string[],
	) =>
		rows.filter(isMeant).map((row) => {
			const names = prefixes.map((prefix) => prefix + row.name);
			const value = explanation.values.find((each) => names.includes(each.name) && (each.file ?? null) === row.file);
			return { ...row, provenance: value === undefined ? null : provenanceOf(value) };
		});
	return {
		layers,
		agents: explain(agents, ["", "agents.list."]),
		skills: explain(skills, [""]),
		mcpServers: explain(mcpServers, ["mcp_servers."]),
		problems,
		values: explanation.values.filter(isMeant),
		skipped: explanation.skipped.filter(isMeant),
	};
}

function provenanceOf({ layer, file, line, shadows, reason, changes }: Explanation["values"][number]) {
	return { layer, file: file ?? null, line: line ?? null, shadows, reason, ...(changes && { changes }) };
}
