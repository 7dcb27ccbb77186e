/** A server that says more than anybody can read, as fast as it can, and what goes on beside it in this process. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { McpLease } from "../../../../src/core/mcp/mcpPool.ts";
import { aFaultLog, aFaultServer, aPool, failureOf } from "../../../fakes/faultServers.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Does others' work, calls of a server that behaves and a timer; gives the median delay of the event loop meanwhile. */
async function workBeside(lease: McpLease, isEnough: () => boolean): Promise<number> {
	const delay = monitorEventLoopDelay();
	const ticks = { count: 0 };
	const timer = setInterval(() => ticks.count++, 1);
	onTestFinished(() => clearInterval(timer));
	delay.enable();
	for (let calls = 0; calls < 50 || ticks.count < 100 || !isEnough(); calls++) {
		expect(await lease.call("echo", { calls })).toMatchObject({ text: `{"calls":${calls}}` });
	}
	delay.disable();
	clearInterval(timer);
	return delay.percentile(50);
}

describe("a flood without an end", () => {
	it.for(["notifications", "requests", "stderr"])(
		"of %s holds up neither a timer nor another server, and a stop reaches it",
		async (kind) => {
			const log = aFaultLog();
			const { pool, use } = aPool();
			const [flooding, other] = [await use(aFaultServer([log.argument])), await use(aFaultServer(["beside"]))];
			await Promise.all([flooding.tools(), other.tools()]);
			const idle = await workBeside(other, () => true);

			const stop = new AbortController();
			const stopped = failureOf(flooding.call("flood", { of: kind, endless: true }, { signal: stop.signal }));
			const thousands = () => log.read().filter((line) => line.startsWith("flooded")).length;
			await vi.waitFor(() => expect(thousands()).toBeGreaterThan(0), { timeout: 10_000 });
			const flooded = await workBeside(other, () => thousands() > 100);
			// Of the median, which a busy machine moves little: unlimited, a flood makes it seven times as long.
			expect(flooded).toBeLessThan(4 * idle);
			expect(pool.servers.map(({ state }) => state)).toEqual(["ready", "ready"]);
			stop.abort(new Error("stopped by hand"));
			expect(await stopped).toBe("stopped by hand");
			await vi.waitFor(() => expect(log.read().join()).toContain("cancelled"), { timeout: 10_000 });
			expect(await flooding.call("echo", { after: 1 })).toMatchObject({ text: '{"after":1}' });
		},
	);
});
