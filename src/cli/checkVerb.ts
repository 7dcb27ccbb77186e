import path from "node:path";
import type { Catalog } from "../core/catalog/discoverCatalog.ts";
import { readCheckCall } from "./catalogOptions.ts";

/** `muster check`: what loads, from which layer and file, and every problem with its place. 1 when one is an error. */
export async function checkVerb(args: readonly string[]): Promise<number> {
	const { catalogs, format } = await readCheckCall(args);
	const report = toReport(catalogs);
	const write = { json: (all: Report) => `${JSON.stringify(all)}\n`, text: toText, github: toAnnotations }[format];
	process.stdout.write(write(report));
	return report.problems.some(({ severity }) => severity === "error") ? 1 : 0;
}

type Report = ReturnType<typeof toReport>;

/** Several catalogs as one: what they share is there once. */
function toReport(catalogs: readonly Catalog[]) {
	const of = <Row>(rowsOf: (catalog: Catalog) => readonly Row[]) => unique(catalogs.flatMap(rowsOf));
	const ranks = { home: 0, role: 1, repo: 2 };
	return {
		layers: of(listLayers).toSorted((one, other) => ranks[one.name] - ranks[other.name]),
		agents: of(listAgents),
		skills: of(listSkills),
		mcpServers: of(listServers),
		problems: of(listProblems),
	};
}

function unique<Row>(rows: readonly Row[]): Row[] {
	return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

function listLayers({ layers: { roots } }: Catalog) {
	const found = [roots.home, roots.base, roots.repo].filter((root) => root !== undefined);
	return found.map(({ layer, path: root }) => ({ name: layer, root }));
}

/** Those of files, those that others are used instead of, and the static ones. */
function listAgents({ agents, config }: Catalog) {
	const all = [
		...agents.agents.map((agent) => ({ agent, shadowed: false })),
		...agents.shadowed.map(({ agent }) => ({ agent, shadowed: true })),
	];
	return [
		...all.map(({ agent: { name, layer, file, dialect, tools, model }, shadowed }) => ({
			name,
			layer,
			file,
			dialect,
			tools: tools ?? null,
			model: model ?? null,
			shadowed,
		})),
		...Array.from(config.agents, ([name, { value, provenance }]) => ({
			name,
			layer: provenance.layer === "builtIn" ? null : provenance.layer,
			file: provenance.file ?? null,
			dialect: provenance.layer === "builtIn" ? "builtin" : "config",
			tools: value.tools?.allow ?? null,
			model: value.model ?? null,
			shadowed: false,
		})),
	];
}

function listSkills({ skills }: Catalog) {
	return [
		...skills.skills.map(({ name, layer, file }) => ({ name, layer, file, disabled: false, shadowed: false })),
		...skills.unused.map(({ name, layer, file, reason }) => ({
			name,
			layer,
			file,
			disabled: reason === "disabled",
			shadowed: reason === "shadowed",
		})),
	];
}

function listServers({ mcpServers }: Catalog) {
	return mcpServers.map(({ name, type, isEnabled, provenance }) => ({
		name,
		layer: provenance.layer,
		file: provenance.file ?? null,
		type,
		enabled: isEnabled,
	}));
}

function listProblems({ problems }: Catalog) {
	return problems.map(({ severity, code, message, file, line, column }) => ({
		severity,
		code,
		message,
		file: path.isAbsolute(file) ? file : null,
		line: line ?? null,
		column: column ?? null,
	}));
}

function toText({ agents, skills, mcpServers, problems }: Report): string {
	const note = (...words: readonly (string | false | null)[]) =>
		words.filter((word) => typeof word === "string").join(", ");
	const lines = [
		...agents.map(({ name, layer, file, dialect, shadowed }) =>
			`agent   ${name}  (${note(layer, dialect, shadowed && "shadowed")})  ${file ?? ""}`.trimEnd(),
		),
		...skills.map(
			({ name, layer, file, disabled, shadowed }) =>
				`skill   ${name}  (${note(layer, disabled && "disabled", shadowed && "shadowed")})  ${file}`,
		),
		...mcpServers.map(
			({ name, layer, file, type, enabled }) =>
				`server  ${name}  (${note(layer, type, !enabled && "off")})  ${file ?? ""}`,
		),
		...problems.map(toLine),
		summarize(problems),
	];
	return `${lines.join("\n")}\n`;
}

/** As compilers write it, so that editors and CI find the place. */
function toLine({ severity, code, message, file, line, column }: Report["problems"][number]): string {
	const place = file === null ? "" : `${file}:${line ?? 1}:${column ?? 1}: `;
	return `${place}${severity}: ${message} [${code}]`;
}

function summarize(problems: Report["problems"]): string {
	const count = (wanted: string) => problems.filter(({ severity }) => severity === wanted).length;
	return `${count("error")} errors, ${count("warning")} warnings`;
}

const annotations = { error: "error", warning: "warning", information: "notice" } as const;

/** As GitHub's runner reads it, so that each problem is shown at its line. */
function toAnnotations({ problems }: Report): string {
	const lines = problems.map(({ severity, code, message, file, line, column }) => {
		const at = { file, line, col: column, title: code };
		const properties = Object.entries(at)
			.filter(([, value]) => value !== null)
			.map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
		return `::${annotations[severity]} ${properties.join(",")}::${escapeData(message)}`;
	});
	return `${[...lines, summarize(problems)].join("\n")}\n`;
}

/** What comes from a file must not end the line and begin a command of its own. */
function escapeData(text: string): string {
	return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
	return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
