import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorkspaceGate } from "../../../../src/core/permissions/workspaceGate.ts";
import { temporaryFolder, withFiles, withLinks } from "../../../fakes/temporaryFolder.ts";

describe("createWorkspaceGate", () => {
	it("allows reading inside the workspace, by the real path", async () => {
		const root = withLinks(withFiles(temporaryFolder(), { "src/a.ts": "", ".git/config": "" }), { link: "src" });
		const gate = createWorkspaceGate([root]);
		expect(await gate.decide({ kind: "read", path: "link/a.ts" }, "read_file")).toEqual({
			verdict: "allow",
			path: join(root, "src/a.ts"),
			because: "reading in the workspace",
		});
		expect(await gate.decide({ kind: "read", path: ".git/config" }, "read_file")).toMatchObject({ verdict: "allow" });
	});

	it("takes a workspace folder that is itself reached through a link", async () => {
		const outer = withLinks(withFiles(temporaryFolder(), { "real/a.ts": "" }), { link: "real" });
		const gate = createWorkspaceGate([join(outer, "link")]);
		expect(await gate.decide({ kind: "read", path: "a.ts" }, "read_file")).toEqual({
			verdict: "allow",
			path: join(outer, "real/a.ts"),
			because: "reading in the workspace",
		});
	});

	it("denies reading outside, also when the folder becomes a link later", async () => {
		const outer = withFiles(temporaryFolder(), { "ws/a.ts": "", "secret/key": "" });
		const gate = createWorkspaceGate([join(outer, "ws")]);
		expect(await gate.decide({ kind: "read", path: "../secret/key" }, "read_file")).toMatchObject({ verdict: "deny" });
		renameSync(join(outer, "ws"), join(outer, "old"));
		symlinkSync(join(outer, "secret"), join(outer, "ws"));
		expect(await gate.decide({ kind: "read", path: "key" }, "read_file")).toEqual({
			verdict: "deny",
			reason: expect.stringContaining("outside the workspace"),
		});
	});

	it("denies reading when no folder is open, and says what to do", async () => {
		expect(await createWorkspaceGate([]).decide({ kind: "read", path: "a.ts" }, "read_file")).toEqual({
			verdict: "deny",
			reason: expect.stringMatching(/^No folder is open .* ask the user to open a folder\.$/),
		});
	});

	it.each([
		[{ kind: "write", path: "a.ts" } as const, "Describe the change"],
		[{ kind: "run", command: "ls" } as const, "which command"],
		[{ kind: "fetch", url: "https://example.org" } as const, "look up"],
	])("denies $kind because this version only reads, and says what to do instead", async (effect, hint) => {
		const decision = await createWorkspaceGate([temporaryFolder()]).decide(effect, "read_file");
		expect(decision).toEqual({ verdict: "deny", reason: expect.stringContaining("allows reading only") });
		expect(decision).toEqual({ verdict: "deny", reason: expect.stringContaining(hint) });
	});
});
