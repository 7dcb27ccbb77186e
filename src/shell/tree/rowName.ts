/** The name on a row of a view of definitions. Commands can be called by anybody with anything. */
export function rowName(node: unknown): string | undefined {
	if (typeof node !== "object" || node === null || !("row" in node)) return undefined;
	const { row } = node;
	return typeof row === "object" && row !== null && "name" in row && typeof row.name === "string"
		? row.name
		: undefined;
}
