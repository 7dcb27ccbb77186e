import { describe, expect, it, vi } from "vitest";
import { createMcpTools } from "../../../../src/core/mcp/mcpTools.ts";
import { aPackagedServer, aPool } from "../../../fakes/faultServers.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

vi.setConfig({ testTimeout: 20_000 });

describe("a server of the Model Context Protocol's own packages", () => {
	it("everything: lists its tools and answers", async () => {
		const { use, pool } = aPool();
		const lease = await use(aPackagedServer("everything"));
		const { tools, problems } = await createMcpTools([lease]);
		expect(problems).toEqual([]);
		expect(tools.map(({ name }) => name)).toContain("mcp__everything__echo");
		expect(await lease.call("echo", { message: "hello" })).toEqual({ text: "Echo: hello", isError: false });
		expect(pool.servers).toMatchObject([{ name: "everything", state: "ready", toolCount: tools.length, holders: 1 }]);
	});

	it("filesystem: reads a file of its folder, and says that it can't read another", async () => {
		const folder = temporaryFolder({ "a.txt": "alpha" });
		const lease = await aPool().use(aPackagedServer("filesystem", [folder]));
		expect(await lease.call("read_text_file", { path: `${folder}/a.txt` })).toEqual({ text: "alpha", isError: false });
		expect(await lease.call("read_text_file", { path: "/etc/passwd" })).toMatchObject({ isError: true });
	});

	it("memory: keeps what it is told from call to call", async () => {
		const file = `${temporaryFolder()}/memory.json`;
		const lease = await aPool().use(aPackagedServer("memory", [], { env: { MEMORY_FILE_PATH: file } }));
		const entities = [{ name: "Ada", entityType: "person", observations: ["writes programs"] }];
		expect(await lease.call("create_entities", { entities })).toMatchObject({ isError: false });
		expect((await lease.call("read_graph", {})).text).toContain("writes programs");
	});
});
