/**
 * Twins: the same engine with one promise broken on purpose, to prove that the tests would see it. Everything that is
 * wrong with them is here and in `twinWorker.ts`; nothing in `src` knows of them.
 */
import { Database } from "../../../../src/core/store/database.ts";

export type TwinName =
	/** Ends a run in one transaction and makes its announcement in the next. */
	| "split"
	/** Writes an announcement's message in one transaction, marks it in the next, and has no key against a second one. */
	| "keyless"
	/** Never reads whether it was fenced. */
	| "fenceless";

/** The second half of what a twin tears apart. */
const secondHalves: Readonly<Partial<Record<TwinName, readonly [first: string, second: string]>>> = {
	split: ["endRun", "announceEnd"],
	keyless: ["deliverAnnouncements", "markDelivered"],
};

type Call = (this: Database, name: string, ...input: readonly unknown[]) => Promise<unknown>;

/** Turns this process into the twin and gives the worker that it needs. */
export function useTwin(twin: TwinName): URL {
	const halves = secondHalves[twin];
	if (halves) {
		const call = Reflect.get(Database.prototype, "call") as unknown as Call;
		const callTwice: Call = async function (name, ...input) {
			const answer = await call.call(this, name, ...input);
			// Awaited between the two: in one group they would be one transaction again.
			if (name === halves[0]) await call.call(this, halves[1], ...input);
			return answer;
		};
		Database.prototype.call = callTwice as unknown as typeof Database.prototype.call;
	}
	process.env["MUSTER_TWIN"] = twin;
	return new URL("twinWorker.ts", import.meta.url);
}
