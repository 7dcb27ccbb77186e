import { readCheckCall } from "./catalogOptions.ts";
import { toCatalogReport, type CatalogReport } from "./catalogReport.ts";

/** `muster check`: what loads, from which layer and file, and every problem with its place. 1 when one is an error. */
export async function checkVerb(args: readonly string[]): Promise<number> {
	const { catalogs, format } = await readCheckCall(args);
	const report = toCatalogReport(catalogs);
	const write = { json: (all: CatalogReport) => `${JSON.stringify(all)}\n`, text: toText, github: toAnnotations }[
		format
	];
	process.stdout.write(write(report));
	return report.problems.some(({ severity }) => severity === "error") ? 1 : 0;
}

function toText({ agents, skills, mcpServers, problems }: CatalogReport): string {
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
function toLine({ severity, code, message, file, line, column }: CatalogReport["problems"][number]): string {
	const place = file === null ? "" : `${file}:${line ?? 1}:${column ?? 1}: `;
	return `${place}${severity}: ${message} [${code}]`;
}

function summarize(problems: CatalogReport["problems"]): string {
	const count = (wanted: string) => problems.filter(({ severity }) => severity === wanted).length;
	return `${count("error")} errors, ${count("warning")} warnings`;
}

const annotations = { error: "error", warning: "warning", information: "notice" } as const;

/** As GitHub's runner reads it, so that each problem is shown at its line. */
function toAnnotations({ problems }: CatalogReport): string {
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
