import { installChromium } from "../vscode/findChromium.ts";
import { installVscode } from "../vscode/installVscode.ts";
import { projectRoot } from "../vscode/paths.ts";
import { sampleWorkspace } from "../e2e/harness/sampleWorkspace.ts";
import { VSCode } from "../e2e/harness/vscode.ts";
import { median } from "./median.ts";

const starts = 3;

/** Median over several starts of the time that VS Code says each extension took to activate. */
export async function measureActivation(): Promise<Record<string, { "activation ms": number }>> {
	await Promise.all([installVscode(), installChromium()]);
	const times = new Map<string, number[]>();
	for (let start = 0; start < starts; start++) {
		for (const [name, ms] of await activationTimes()) times.set(name, [...(times.get(name) ?? []), ms]);
	}
	const rows = [...times].filter(([, all]) => all.length === starts).map(([name, all]) => [name, median(all)] as const);
	return Object.fromEntries(
		rows.toSorted(([, a], [, b]) => a - b).map(([name, ms]) => [name, { "activation ms": ms }]),
	);
}

async function activationTimes(): Promise<[name: string, ms: number][]> {
	const vscode = await VSCode.start({ open: sampleWorkspace(), extensions: [projectRoot] });
	try {
		const { workbench } = vscode;
		await workbench.run("Developer: Show Running Extensions");
		const rows = workbench.page.locator(".runtime-extensions-editor .monaco-list-row");
		await rows
			.filter({ hasText: "Muster" })
			.filter({ hasText: /Activation: \d+ms/u })
			.first()
			.waitFor({ timeout: 60_000 });
		const texts = await rows.allInnerTexts();
		return texts.flatMap((text) => {
			const ms = /Activation: (\d+)ms/u.exec(text)?.[1];
			return ms === undefined ? [] : [[text.split("\n", 1)[0] ?? "", Number(ms)] as [string, number]];
		});
	} finally {
		await vscode.stop();
	}
}
