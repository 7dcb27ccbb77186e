import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { attachFile } from "../../../../../src/core/tools/builtin/attachFile.ts";
import { folderArtefacts } from "../../../../../src/core/tools/folderArtefacts.ts";
import { temporaryFolder } from "../../../../fakes/temporaryFolder.ts";
import { aRunsServices, execute } from "../execute.ts";

const { signal } = new AbortController();

describe("attach_file", () => {
	it("keeps a file as it is now, and a text, and says where", async () => {
		const root = temporaryFolder({ "out/log.txt": "line\n" });
		const kept = join(temporaryFolder(), "kept");
		const services = aRunsServices({ artefacts: folderArtefacts(kept) });
		const attach = async (input: Record<string, unknown>) =>
			(await execute(attachFile, root, input, signal, services)).text;
		expect(await attach({ path: "out/log.txt" })).toBe(`Attached log.txt: 5 bytes, kept at ${kept}/log.txt.`);
		expect(await attach({ text: "grüße", name: "log.txt" })).toBe(
			`Attached log.txt: 7 bytes, kept at ${kept}/log-2.txt.`,
		);
		expect(readFileSync(join(kept, "log.txt"), "utf8")).toBe("line\n");
		expect(readFileSync(join(kept, "log-2.txt"), "utf8")).toBe("grüße");
	});

	it.each(["../../evil", "/etc/evil", "..", ".hidden", "a\0b"])("keeps %j in its folder", async (name) => {
		const kept = temporaryFolder();
		const { path } = await folderArtefacts(kept).attach({ name, bytes: Buffer.from("x") });
		expect(path).toMatch(new RegExp(`^${kept}/[^/]+$`, "u"));
	});

	it("says what cannot be attached", async () => {
		const root = temporaryFolder({ "folder/x": "" });
		expect((await execute(attachFile, root, { path: "missing" })).text).toContain("missing does not exist");
		expect((await execute(attachFile, root, { path: "folder" })).text).toContain("folder is a folder");
		expect(attachFile.prepare({})).toMatchObject({ problem: expect.stringContaining("either path or text") });
		expect(attachFile.prepare({ text: "x" })).toMatchObject({ problem: expect.stringContaining("needs a name") });
	});

	it("asks the gate only about files", () => {
		expect(attachFile.prepare({ path: "a" })).toMatchObject({ effect: { kind: "read", path: "a" } });
		expect(attachFile.prepare({ text: "a", name: "b" })).toMatchObject({ effect: { kind: "none" } });
	});
});
