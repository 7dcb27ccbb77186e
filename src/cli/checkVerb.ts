import type { FileProblem } from "../core/base/fileProblem.ts";
import type { Catalog } from "../core/catalog/discoverCatalog.ts";
import { readCatalogCall } from "./catalogOptions.ts";

/** `muster check`: what loads, from which layer and file, and every problem with its place. 1 when one is an error. */
export async function checkVerb(args: readonly string[]): Promise<number> {
	const { catalog, isJson } = await readCatalogCall(args, 0);
	process.stdout.write(isJson ? `${JSON.stringify(toJson(catalog))}\n` : toText(catalog));
	return catalog.problems.some(({ severity }) => severity === "error") ? 1 : 0;
}

function toJson({ layers, agents, skills, mcpServers, problems }: Catalog) {
	const { home, base, repo } = layers.roots;
	const roots = [home, base, repo].filter((root) => root !== undefined);
	const unique = new Map(roots.map(({ layer, path }) => [path, { layer, path }]));
	return {
		layers: [...unique.values()],
		agents: agents.agents.map(({ name, layer, file, dialect, tools, model }) => ({
			name,
			layer,
			file,
			dialect,
			tools: tools ?? null,
			model: model ?? null,
		})),
		skills: [
			...skills.skills.map(({ name, layer, file }) => ({ name, layer, file, disabled: false })),
			...skills.unused
				.filter(({ reason }) => reason === "disabled")
				.map(({ name, layer, file }) => ({ name, layer, file, disabled: true })),
		],
		mcpServers: mcpServers.map(({ name, type, isEnabled, provenance }) => ({
			name,
			layer: provenance.layer,
			file: provenance.file ?? null,
			type,
			enabled: isEnabled,
		})),
		problems: problems.map(({ severity, code, message, file, line = 1, column = 1 }) => ({
			severity,
			code,
			message,
			file,
			line,
			column,
		})),
	};
}

function toText(catalog: Catalog): string {
	const { agents, skills, mcpServers, problems } = toJson(catalog);
	const lines = [
		...agents.map(({ name, layer, file, dialect }) => `agent   ${name}  (${layer}, ${dialect})  ${file}`),
		...skills.map(
			({ name, layer, file, disabled }) => `skill   ${name}  (${layer}${disabled ? ", disabled" : ""})  ${file}`,
		),
		...mcpServers.map(
			({ name, layer, file, type, enabled }) =>
				`server  ${name}  (${layer}, ${type}${enabled ? "" : ", off"})  ${file ?? ""}`,
		),
		...problems.map(toLine),
		summarize(catalog.problems),
	];
	return `${lines.join("\n")}\n`;
}

/** As compilers write it, so that editors and CI find the place. */
function toLine({
	severity,
	code,
	message,
	file,
	line,
	column,
}: ReturnType<typeof toJson>["problems"][number]): string {
	return `${file}:${line}:${column}: ${severity}: ${message} [${code}]`;
}

function summarize(problems: readonly FileProblem[]): string {
	const count = (wanted: string) => problems.filter(({ severity }) => severity === wanted).length;
	return `${count("error")} errors, ${count("warning")} warnings`;
}
