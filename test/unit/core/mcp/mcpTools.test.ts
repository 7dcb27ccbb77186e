import { describe, expect, it, vi } from "vitest";
import type { McpServerFields } from "../../../../src/core/config/mcpServerFields.ts";
import type { McpServer } from "../../../../src/core/mcp/mcpServers.ts";
import { approvalOf, createMcpTools } from "../../../../src/core/mcp/mcpTools.ts";
import { mcpToolName } from "../../../../src/core/mcp/mcpToolName.ts";
import { readServerTools } from "../../../../src/core/mcp/serverTool.ts";
import type { McpLease } from "../../../../src/core/mcp/mcpPool.ts";
import type { ToolContext } from "../../../../src/core/tools/tool.ts";
import { toToolSchema } from "../../../../src/core/tools/toToolSchema.ts";
import { aFaultServer, aPackagedServer, aPool, aServer } from "../../../fakes/faultServers.ts";

vi.setConfig({ testTimeout: 20_000 });

/** A lease on tools that nobody has to start a server for. */
function aLease(names: readonly string[], rest: Partial<McpServer> = {}): McpLease {
	const listing = readServerTools(names.map((name) => ({ name, inputSchema: { type: "object" } })));
	return {
		server: aServer({ command: "x" }, rest),
		id: "",
		consentHash: "",
		tools: () => Promise.resolve(listing),
		call: (tool, input) => Promise.resolve({ text: `${tool} ${JSON.stringify(input)}`, isError: false }),
		release: () => undefined,
	};
}

describe("the name of a server's tool", () => {
	it.for([
		["srv", "read_file", "mcp__srv__read_file"],
		["My-Server", "getUser", "mcp__My-Server__getUser"],
		["srv", "user.get/all", "mcp__srv__user_get_all"],
		["srv", "größe😀", "mcp__srv__gr__e_"],
	])("%s %s is %s", ([server = "", tool = "", name]) => {
		expect(mcpToolName(server, tool)).toBe(name);
	});

	it("is cut at 64 characters and stays its own", () => {
		const fits = "t".repeat(64 - "mcp__srv__".length);
		expect(mcpToolName("srv", fits)).toBe(`mcp__srv__${fits}`);
		expect(mcpToolName("srv", `${fits}a`)).toMatch(/^mcp__srv__t{45}_[0-9a-f]{8}$/u);
		expect(mcpToolName("srv", `${fits}a`)).toHaveLength(64);
		expect(mcpToolName("srv", `${fits}a`)).not.toBe(mcpToolName("srv", `${fits}b`));
	});
});

describe("createMcpTools", () => {
	it("gives the model the server's own schema, unchanged but for its dialect", async () => {
		const lease = await aPool().use(aPackagedServer("everything"));
		const { tools } = await createMcpTools([lease]);
		const sum = tools.find(({ name }) => name === "mcp__everything__get-sum");
		expect(sum && toToolSchema(sum)).toMatchObject({
			name: "mcp__everything__get-sum",
			description: expect.stringContaining('(From the MCP server "everything".)'),
			inputSchema: {
				type: "object",
				properties: { a: { type: "number" }, b: { type: "number" } },
				required: ["a", "b"],
			},
		});
		const prepared = sum?.prepare({ a: 2, b: 3 });
		expect(prepared).toMatchObject({
			ok: true,
			effect: { kind: "mcp", tool: "get-sum", approval: "firstUse" },
			subject: '{"a":2,"b":3}',
		});
		const context = { signal: new AbortController().signal } as ToolContext;
		expect(prepared?.ok === true && (await prepared.execute(context)).text).toContain("5");
	});

	it.for([[null], ["text"], [[1]], [undefined]])("takes no input that is no object: %j", async ([input]) => {
		const { tools } = await createMcpTools([aLease(["echo"])]);
		expect(tools[0]?.prepare(input)).toEqual({ ok: false, problem: "The input must be an object" });
	});

	it("leaves a tool out whose name another one has, and says so", async () => {
		const { tools, problems } = await createMcpTools([aLease(["a.b", "a_b", "c"])]);
		expect(tools.map(({ origin }) => origin.tool)).toEqual(["a.b", "c"]);
		expect(problems).toEqual([
			{
				server: "srv",
				tool: "a_b",
				message: 'The tool "a_b" of the MCP server "srv" is left out: another tool is mcp__srv__a_b already.',
			},
		]);
	});

	it("goes on without a server that does not start", async () => {
		const broken = await aPool().use(aFaultServer(["exit1"], {}, { name: "broken" }));
		const { tools, problems } = await createMcpTools([broken, aLease(["echo"])]);
		expect(tools.map(({ name }) => name)).toEqual(["mcp__srv__echo"]);
		expect(problems).toMatchObject([{ server: "broken", message: expect.stringContaining("no configuration file") }]);
	});

	it("offers at most 128 tools of all servers, and names the rest", async () => {
		const names = Array.from({ length: 60 }, (_, each) => `tool${each}`);
		const leases = ["a", "b", "c"].map((name) => aLease(names, { name }));
		const { tools, problems } = await createMcpTools(leases);
		expect([tools.length, problems.length]).toEqual([128, 52]);
	});

	it.for<[string, { tools?: string[]; disallowedTools?: string[] }, string[]]>([
		["no list offers all", {}, ["get.user", "drop"]],
		["a list of other tools offers none", { tools: ["read_file"] }, []],
		["a tool by its name for models", { tools: ["mcp__srv__get_user"] }, ["get.user"]],
		["a tool by its server's name", { tools: ["mcp__srv__get.user"] }, ["get.user"]],
		["a whole server", { tools: ["mcp__srv"] }, ["get.user", "drop"]],
		["a whole server with a star", { tools: ["mcp__srv__*"] }, ["get.user", "drop"]],
		["deny beats allow", { tools: ["mcp__srv"], disallowedTools: ["mcp__srv__drop"] }, ["get.user"]],
		["a denied server", { disallowedTools: ["mcp__srv"] }, []],
	])("of an agent: %s", async ([, lists, expected]) => {
		const { tools } = await createMcpTools([aLease(["get.user", "drop"])], lists);
		expect(tools.map(({ origin }) => origin.tool)).toEqual(expected);
	});

	it.for<[string, McpServerFields, string]>([
		["nothing said", {}, "firstUse"],
		["auto", { defaultToolsApprovalMode: "auto" }, "firstUse"],
		["writes", { defaultToolsApprovalMode: "writes" }, "firstUse"],
		["prompt", { defaultToolsApprovalMode: "prompt" }, "eachCall"],
		["approve", { defaultToolsApprovalMode: "approve" }, "allow"],
		[
			"the tool's own beats it",
			{ defaultToolsApprovalMode: "approve", tools: { echo: { approvalMode: "prompt" } } },
			"eachCall",
		],
		["another tool's does not count", { tools: { other: { approvalMode: "approve" } } }, "firstUse"],
	])("approval: %s", ([, fields, expected]) => {
		expect(approvalOf(fields, "echo")).toBe(expected);
	});

	it("what a server claims of a tool lowers no approval, and changes its hash", () => {
		const read = (annotations: object) =>
			readServerTools([{ name: "echo", inputSchema: { type: "object" }, annotations }]).tools[0];
		const claimed = read({ readOnlyHint: true });
		expect([claimed?.isReadOnly, read({ readOnlyHint: "yes" })?.isReadOnly]).toEqual([true, false]);
		expect(claimed?.hash).not.toBe(read({})?.hash);
	});
});
