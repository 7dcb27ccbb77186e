import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setUpWorkspace } from "../../../../src/core/agents/setUpWorkspace.ts";
import { stockFiles } from "../../../../src/core/agents/stockAgents.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const everything = stockFiles.map(({ path }) => path);
const nobodysAgents = new Set<string>();

describe("setUpWorkspace", () => {
	it("writes the stock files into an empty folder", async () => {
		const folder = temporaryFolder();
		expect(await setUpWorkspace(folder, nobodysAgents)).toEqual({
			isDone: true,
			written: everything,
			kept: [],
			skipped: [],
		});
		for (const { path, contents } of stockFiles) expect(readFileSync(join(folder, path), "utf8")).toBe(contents);
	});

	it("never overwrites a file", async () => {
		const mine = "mine, and not even an agent";
		const folder = temporaryFolder({ ".agents/agents/summarizer.md": mine, ".agents/config.toml": "" });
		const result = await setUpWorkspace(folder, nobodysAgents);
		expect(result).toMatchObject({ kept: [".agents/agents/summarizer.md", ".agents/config.toml"] });
		expect(readFileSync(join(folder, ".agents/agents/summarizer.md"), "utf8")).toBe(mine);
		expect(readFileSync(join(folder, ".agents/config.toml"), "utf8")).toBe("");
	});

	it("changes nothing the second time", async () => {
		const folder = temporaryFolder();
		await setUpWorkspace(folder, nobodysAgents);
		expect(await setUpWorkspace(folder, nobodysAgents)).toMatchObject({ written: [], kept: everything });
	});

	it("leaves out an agent that the home layer has", async () => {
		const folder = temporaryFolder();
		const result = await setUpWorkspace(folder, new Set(["code-analyst", "another"]));
		expect(result).toMatchObject({ skipped: [".agents/agents/code-analyst.md"] });
		expect(readdirSync(join(folder, ".agents/agents"))).toEqual(["research-assistant.md", "summarizer.md"]);
	});

	it("writes nothing through a link that leaves the folder", async () => {
		const outside = temporaryFolder();
		const folder = temporaryFolder();
		symlinkSync(outside, join(folder, ".agents"));
		expect(await setUpWorkspace(folder, nobodysAgents)).toMatchObject({ problem: { code: "setUp.failed" } });
		expect(readdirSync(outside)).toEqual([]);
	});

	it("says what is in the way", async () => {
		const result = await setUpWorkspace(temporaryFolder({ ".agents": "a file" }), nobodysAgents);
		expect(result).toMatchObject({ problem: { code: "setUp.failed", message: expect.stringContaining("ENOTDIR") } });
	});

	it("explains that a read-only folder was not changed, and where agents can live instead", () => {
		const folder = temporaryFolder();
		chmodSync(folder, 0o555);
		const result = setUpWithoutPrivileges(folder);
		expect(result).toMatchObject({ isDone: false, problem: { code: "setUp.readOnly" } });
		expect(JSON.stringify(result)).toMatch(/is read-only.*Nothing was changed.*\.agents\/agents of your home folder/u);
		expect(readdirSync(folder)).toEqual([]);
	});
});

/**
 * Root may write everywhere, so this needs a process of its own whenever the tests run as root. It gives its rights up
 * after loading the module, which may lie where nobody else can read.
 */
function setUpWithoutPrivileges(folder: string): unknown {
	const module = new URL("../../../../src/core/agents/setUpWorkspace.ts", import.meta.url).href;
	const program = `const { setUpWorkspace } = await import(${JSON.stringify(module)});
		if (process.getuid?.() === 0) { process.setgid(65534); process.setuid(65534); }
		console.log(JSON.stringify(await setUpWorkspace(${JSON.stringify(folder)}, new Set())));`;
	return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }));
}
