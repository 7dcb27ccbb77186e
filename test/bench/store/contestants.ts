import type { Figure } from "../figures.ts";
import type { Contestant } from "../measure.ts";

export type StoreContestant = "floor" | "thin" | "muster";

const described: Readonly<Record<StoreContestant, Pick<Figure, "contestant" | "role">>> = {
	floor: { contestant: "append + fdatasync, grouped", role: "floor" },
	thin: { contestant: "thin SQLite table in a worker", role: "reference" },
	muster: { contestant: "Muster", role: "muster" },
};

export const storeContestants = Object.keys(described) as readonly StoreContestant[];

/** One contestant for each of the three, with what it needs. */
export function enter<Input>(input: Input): Contestant<Input & { readonly contestant: StoreContestant }>[] {
	return storeContestants.map((contestant) => ({ name: contestant, input: { ...input, contestant } }));
}

/** The figures of one measure, in the order of the contestants. */
export function figuresOf<Output>(
	measure: string,
	results: ReadonlyMap<string, readonly Output[]>,
	read: (output: Output) => number,
	names: Partial<Record<StoreContestant, string>> = {},
): Figure[] {
	return storeContestants.map((name) => ({
		...described[name],
		...(names[name] !== undefined && { contestant: names[name] }),
		measure,
		unit: "ms",
		samples: (results.get(name) ?? []).map(read),
	}));
}
