import type { Verification } from "../core/store/verifyStore.ts";
import { readStore } from "./openStore.ts";
import { readCall } from "./storeOptions.ts";

/** `muster verify`: looks at every invariant of the store. 1 when one is violated. */
export async function verifyVerb(args: readonly string[]): Promise<number> {
	const { place, isJson } = readCall(args, { options: {} });
	const verification = await readStore<Verification>(
		place,
		({ transcripts }) => transcripts.verify(),
		() => ({ ok: true, checked: [], violations: [] }),
	);
	process.stdout.write(isJson ? `${JSON.stringify(verification)}\n` : toText(verification));
	return verification.ok ? 0 : 1;
}

function toText({ checked, violations }: Verification): string {
	const lines = violations.map(({ invariant, record, detail }) => `${record}: ${detail} (violates: ${invariant})`);
	return [...lines, `${checked.length} invariants checked, ${violations.length} violations\n`].join("\n");
}
