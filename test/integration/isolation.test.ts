/** The world in which pages and editors are tested. */
import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";

/** The status of an answer, or the code of what went wrong. */
function ask(url: string): Promise<number | string> {
	return new Promise((resolve) => {
		const proxy = process.env["MUSTER_TEST_PROXY"];
		const target = proxy === undefined ? [url, {}] : [proxy, { path: url }];
		const request = get(target[0] as string, target[1] as object, (answer) => {
			answer.resume();
			resolve(answer.statusCode ?? 0);
		});
		request.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
	});
}

describe("while pages and editors are tested", () => {
	it("this machine answers", async () => {
		const server = createServer((_, response) => response.end("here"));
		onTestFinished(() => void server.close());
		await once(server.listen(0, "127.0.0.1"), "listening");
		const { port } = server.address() as AddressInfo;
		const answer = await fetch(`http://127.0.0.1:${port}/`);
		expect(await answer.text()).toBe("here");
	});

	it("no request leaves it", async () => {
		// The kernel knows no way out, or a proxy refuses.
		expect([403, "ENETUNREACH"]).toContain(await ask("http://192.0.2.1/"));
		expect([403, "EAI_AGAIN", "ENOTFOUND"]).toContain(await ask("http://example.org/"));
	});
});
