import { describe, expect, it } from "vitest";
import { keyChain, usersKeys } from "../../../../src/core/models/keyChain.ts";

const agent = (name: string, authFallback?: "parent" | "none", isRestricted = false) => ({
	name,
	configured: { isRestricted, ...(authFallback && { authFallback }) },
});

describe("the keys that a run may use", () => {
	it.each([
		["a static agent's own, then those of who spawned it", agent("clerk"), { agents: ["clerk"], isShared: true }],
		["with the fallback none its own alone", agent("clerk", "none"), { agents: ["clerk"], isShared: false }],
		["a restricted one's own alone", agent("clerk", undefined, true), { agents: ["clerk"], isShared: false }],
		["a restricted one's that may, also others", agent("clerk", "parent", true), { agents: ["clerk"], isShared: true }],
		["of a file those of who spawned it", { name: "scout" }, usersKeys],
	])("are: %s", (_, given, chain) => {
		expect(keyChain(given, usersKeys)).toEqual(chain);
	});

	it("are never more than those of who spawned it, and its own", () => {
		const clerks = keyChain(agent("clerk", "none"), usersKeys);
		expect(keyChain({ name: "scout" }, clerks)).toEqual(clerks);
		expect(keyChain(agent("helper"), clerks)).toEqual({ agents: ["helper", "clerk"], isShared: false });
	});
});
