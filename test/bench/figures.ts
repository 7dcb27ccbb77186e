import { median } from "./median.ts";

/** What a bench is told by the command line. */
export interface BenchOptions {
	/** Smaller sizes and one round: whether it works, not what it costs. */
	readonly isQuick: boolean;
}

/** One contestant's samples of one measure. Less is better in all of them. */
export interface Figure {
	readonly measure: string;
	readonly contestant: string;
	/** `reference`: neither what it cannot cost less than, nor a rival. */
	readonly role: "floor" | "muster" | "peer" | "reference";
	readonly unit: string;
	readonly samples: readonly number[];
}

/** A figure as it is shown and saved. */
export interface Row {
	readonly measure: string;
	readonly contestant: string;
	readonly median: number;
	readonly min: number;
	readonly max: number;
	readonly unit: string;
	readonly "× floor": number | null;
	/** Of the best peer in the same measure: less than 1 is better than all of them. */
	readonly "× best peer": number | null;
}

/** Beside each figure its ratio to the floor of the same measure, and ours beside the best peer's. */
export function compare(figures: readonly Figure[]): Row[] {
	return figures.map((figure) => {
		const { measure, contestant, role, unit, samples } = figure;
		const middle = median(samples);
		const rivals = figures.filter((other) => other.measure === measure);
		const floor = rivals.find((other) => other.role === "floor");
		const peers = rivals.filter((other) => other.role === "peer").map((peer) => median(peer.samples));
		return {
			measure,
			contestant,
			median: round(middle),
			min: round(Math.min(...samples)),
			max: round(Math.max(...samples)),
			unit,
			"× floor": floor ? round(middle / median(floor.samples)) : null,
			"× best peer": role === "muster" && peers.length > 0 ? round(middle / Math.min(...peers)) : null,
		};
	});
}

/** Three digits that mean something. */
export function round(value: number): number {
	return Number(value.toPrecision(3));
}

const columns = ["measure", "contestant", "median", "min", "max", "unit", "× floor", "× best peer"] as const;
const isText = (column: (typeof columns)[number]) => ["measure", "contestant", "unit"].includes(column);

/** A measure is named once; columns without anything in them are left out. */
export function renderTable(rows: readonly Row[]): string {
	const shown = columns.filter((column) => rows.some((row) => row[column] !== null));
	const cells = rows.map((row, index) =>
		shown.map((column) =>
			column === "measure" && rows[index - 1]?.measure === row.measure ? "" : `${row[column] ?? ""}`,
		),
	);
	const lines = [[...shown], ...cells];
	const widths = shown.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
	const pad = (cell: string, at: number) => {
		const column = shown[at] ?? "measure";
		return isText(column) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0);
	};
	return lines.map((line) => `  ${line.map(pad).join("  ")}`.trimEnd()).join("\n");
}
