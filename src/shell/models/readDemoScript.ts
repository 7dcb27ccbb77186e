import { readFile } from "node:fs/promises";
import { messageOf, ProblemError } from "../../core/base/errors.ts";
import { parseDemoScript, type DemoScript } from "../../core/models/demoScript.ts";

/** The answers that the setting `muster.demo.script` names, if any. */
export async function readDemoScript(file: string): Promise<DemoScript | undefined> {
	if (file === "") return undefined;
	const setting = { kind: "openSetting", setting: "muster.demo.script" } as const;
	const text = await readFile(file, "utf8").catch((error: unknown) => {
		throw new ProblemError({
			code: "demo.script",
			message: `The demo model's script could not be read: ${messageOf(error)}`,
			remedies: [setting],
		});
	});
	const { script, problems } = parseDemoScript(text);
	if (!script) {
		const reasons = problems.map(({ message }) => message).join("; ");
		throw new ProblemError({
			code: "demo.script",
			message: `The demo model's script ${file} cannot be used: ${reasons}`,
			remedies: [setting],
		});
	}
	return script;
}
