import { mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createNewFile } from "../../../../src/core/base/createNewFile.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

describe("createNewFile", () => {
	it("writes the file with its folders, and never a second time", async () => {
		const root = realpathSync(temporaryFolder());
		const file = ".agents/agents/scout.md";
		expect(await createNewFile(root, file, "first")).toBe(true);
		expect(await createNewFile(root, file, "second")).toBe(false);
		expect(readFileSync(path.join(root, file), "utf8")).toBe("first");
	});

	it("does not leave the root through a link", async () => {
		const root = realpathSync(temporaryFolder());
		mkdirSync(path.join(root, ".agents"));
		symlinkSync(temporaryFolder(), path.join(root, ".agents", "agents"));
		await expect(createNewFile(root, ".agents/agents/scout.md", "text")).rejects.toThrow("outside of the folder");
	});
});
