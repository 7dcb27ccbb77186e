/** The package that knows everything, over the network: a process that somebody else starts, and ends. */
import { describe, expect, it, vi } from "vitest";
import { everythingOver } from "../../../fakes/everythingServer.ts";
import { aPool, aServer, failureOf } from "../../../fakes/faultServers.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";

vi.setConfig({ testTimeout: 30_000 });

const slow = "trigger-long-running-operation";
const forEver = { duration: 1_000_000, steps: 1 };

describe("a real server over HTTP", () => {
	it.for(["streamableHttp", "sse"] as const)(
		"by %s: offers what its configuration leaves, and goes on after a call that took too long",
		async (protocol) => {
			const { url } = await everythingOver(protocol);
			const { pool, use } = aPool();
			const fields = { url, enabledTools: ["echo", slow, "no_such_tool"], disabledTools: [slow] };
			const lease = await use(aServer(fields, { toolTimeoutMs: 100 }));
			const { tools, problems } = await lease.tools();
			expect(tools.map(({ name }) => name)).toEqual(["echo"]);
			expect(problems.map(({ tool }) => tool)).toEqual(["no_such_tool"]);
			await expect(lease.call(slow, forEver)).rejects.toThrow(/no answer within 0\.1 s.*not known/u);
			expect(pool.servers).toMatchObject([{ state: "ready", lastError: expect.stringContaining("0.1 s") }]);
			const patient = await use(aServer({ url }));
			expect(patient.id).toBe(lease.id);
			expect(await patient.call("echo", { message: "hello" })).toEqual({ text: "Echo: hello", isError: false });
		},
	);

	it.for([
		{ protocol: "streamableHttp", says: /no answer.*The connection was lost.*not known/u },
		{ protocol: "sse", says: /ended during the call: The connection was lost.*not known/u },
	] as const)(
		"by $protocol: killed in the middle of a call fails that call by name, disturbs no other server, and works once it is there again",
		async ({ protocol, says }) => {
			const [server, other] = await Promise.all([everythingOver(protocol), everythingOver(protocol)]);
			const clock = new ManualClock();
			const { pool, use } = aPool({ clock });
			const [lease, undisturbed] = [await use(aServer({ url: server.url })), await use(aServer({ url: other.url }))];
			const end = new AbortController();
			const othersCall = failureOf(undisturbed.call(slow, forEver, { signal: end.signal }));
			const failed = failureOf(lease.call(slow, forEver));
			await lease.call("echo", { message: "the other call is on its way" });
			await server.kill();
			expect(await failed).toMatch(says);
			expect(pool.servers).toMatchObject([{ lastError: expect.stringContaining("The connection was lost") }, {}]);
			expect(await undisturbed.call("echo", { message: "hello" })).toMatchObject({ text: "Echo: hello" });
			end.abort(new Error("still at work"));
			expect(await othersCall).toBe("still at work");

			await everythingOver(protocol, server.port);
			clock.advance(1_000);
			expect(await lease.call("echo", { message: "again" })).toMatchObject({ text: "Echo: again" });
			expect(pool.servers.map(({ state }) => state)).toEqual(["ready", "ready"]);
		},
	);
});
