import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { aForwardingProxy } from "../fakes/forwardingProxy.ts";
import { speak, startModelServer } from "../fakes/modelServer.ts";
import { projectRoot } from "../vscode/paths.ts";
import { sampleWorkspace } from "./harness/sampleWorkspace.ts";
import { spawnSubagent } from "./harness/spawnSubagent.ts";
import { storedRuns } from "./harness/storedRuns.ts";
import { startVSCode } from "./harness/vscode.ts";

const folder = path.join(projectRoot, "test/fixtures/web");
const certificate = path.join(folder, "certificate.pem");

describe("a model server behind a company's proxy", () => {
	it("is reached through the proxy that VS Code is set to, with the certificates that the machine trusts", async () => {
		const model = await startModelServer({
			script: () => ({ body: speak("chat", { text: ["Seven. SUMMARY: Seven."] }) }),
			secure: { key: fs.readFileSync(path.join(folder, "key.pem")), cert: fs.readFileSync(certificate) },
		});
		onTestFinished(() => model.close());
		const proxy = await aForwardingProxy(new URL(model.url));
		const settings = {
			"http.proxy": proxy.url,
			"muster.modelProviders": {
				corp: { base_url: "https://shop.example/v1", env_key: "CORP_KEY", wire_api: "chat" },
			},
			"muster.defaultModel": "corp/gifted",
		};
		const env = { CORP_KEY: "good-key-1234567890" };
		const vscode = await startVSCode({ open: sampleWorkspace(), env, settings });
		await spawnSubagent(vscode.workbench, "code-analyst", "Count the rules");
		await vscode.workbench.row(/Count the rules, failed/u).waitFor({ timeout: 60_000 });
		expect(proxy.asked).toContain("shop.example:443");
		expect(model.requests).toEqual([]);

		// What an administrator puts on the machines of a company with a proxy of its own.
		await vscode.restart("orderly", { env: { ...env, NODE_EXTRA_CA_CERTS: certificate } });
		await spawnSubagent(vscode.workbench, "code-analyst", "Count them again");
		await vscode.workbench.row(/Count them again, finished/u).waitFor({ timeout: 60_000 });
		expect(storedRuns(vscode.server).map(({ state }) => state)).toEqual(["error", "ok"]);
		expect(model.requests).toMatchObject([{ headers: { host: "shop.example" } }]);
	});
});
