import { readFile } from "node:fs/promises";
import { messageOf, ProblemError } from "../core/base/errors.ts";
import { createDemoProvider } from "../core/models/demoModel.ts";
import { parseDemoScript, type DemoScript } from "../core/models/demoScript.ts";
import { ModelRegistry } from "../core/models/modelRegistry.ts";
import { createServerProviders } from "../core/models/serverProvider.ts";
import { takeProxyFrom } from "../core/models/wire/connections.ts";
import { systemClock } from "../core/ports/clock.ts";
import { noSecrets } from "../core/ports/secrets.ts";

/** The models of the command line, with keys from the environment. Only who watches wants the demo model at a human's pace. */
export async function createModels(): Promise<ModelRegistry> {
	const script = await readDemoScript(process.env["MUSTER_DEMO_SCRIPT"] ?? "");
	const demo = createDemoProvider({
		pace: process.stdout.isTTY ? "human" : "off",
		clock: systemClock,
		...(script && { script }),
	});
	const sources = { secrets: noSecrets, environment: process.env };
	takeProxyFrom(process.env);
	return new ModelRegistry([demo], "demo/demo", {
		servers: (configured, prices) => createServerProviders(configured, { ...sources, prices }),
	});
}

/** What the setting `muster.demo.script` is in the editor: for tests and demonstrations. */
async function readDemoScript(file: string): Promise<DemoScript | undefined> {
	if (file === "") return undefined;
	const fail = (reason: string, cause?: unknown) =>
		new ProblemError(
			{ code: "demo.script", message: `The demo model's script ${file} cannot be used: ${reason}` },
			{ cause },
		);
	const text = await readFile(file, "utf8").catch((error: unknown) => {
		throw fail(messageOf(error), error);
	});
	const { script, problems } = parseDemoScript(text);
	if (!script) throw fail(problems.map(({ message }) => message).join("; "));
	return script;
}
