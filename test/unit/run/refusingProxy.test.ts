import { once } from "node:events";
import http from "node:http";
import { expect, it } from "vitest";
import { startRefusingProxy } from "../../run/refusingProxy.ts";

it("refuses requests and tunnels alike, and remembers who was asked for", async () => {
	const proxy = await startRefusingProxy();
	const { port } = new URL(proxy.url);

	const request = http.get({ host: "127.0.0.1", port, path: "http://plain.example/page" });
	const [plain] = await once(request, "response");
	const tunnel = http.request({ host: "127.0.0.1", port, method: "CONNECT", path: "secret.example:443" }).end();
	const [secret] = await once(tunnel, "connect");
	await proxy.close();

	expect([plain.statusCode, secret.statusCode]).toEqual([403, 403]);
	expect(proxy.attempts).toEqual(["http://plain.example/page", "secret.example:443"]);
});
