import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { aFaultHttpServer } from "../../../fakes/faultServers.ts";
import { runProgram } from "../../../fakes/runProgram.ts";
import { projectRoot } from "../../../vscode/paths.ts";

vi.setConfig({ testTimeout: 30_000 });

describe("a result of 200 MB", () => {
	it.for([
		["stdio", ""],
		["http", "json"],
		["http", "events"],
	] as const)("over %s %s is refused, and memory rises by less than 100 MB", async ([transport, as]) => {
		const url = transport === "http" ? (await aFaultHttpServer()).url : transport;
		const file = path.join(projectRoot, "test/fakes/measureLargeResults.ts");
		const { code, out, err } = await runProgram(file, [url, as], projectRoot);
		expect([code, err]).toEqual([0, ""]);
		const { rise, reason } = JSON.parse(out) as { readonly rise: number; readonly reason: string };
		expect(reason).toContain("more than 10 MB");
		expect(rise).toBeLessThan(100);
	});
});
