import { installChromium } from "../vscode/findChromium.ts";
import { installVscode } from "../vscode/installVscode.ts";
import { projectRoot } from "../vscode/paths.ts";
import { sampleWorkspace } from "../e2e/harness/sampleWorkspace.ts";
import { VSCode } from "../e2e/harness/vscode.ts";
import { buildProduct } from "./bundles.ts";
import type { BenchOptions, Figure } from "./figures.ts";
import { median } from "./median.ts";

/** Over several starts, the time that VS Code says each extension took to activate. */
export async function measureActivation({ isQuick }: BenchOptions): Promise<Figure[]> {
	buildProduct();
	await Promise.all([installVscode(), installChromium()]);
	const starts = isQuick ? 1 : 3;
	const times = new Map<string, number[]>();
	for (let start = 0; start < starts; start++) {
		for (const [name, ms] of await activationTimes()) times.set(name, [...(times.get(name) ?? []), ms]);
	}
	const complete = [...times].filter(([, all]) => all.length === starts);
	return complete
		.toSorted(([, a], [, b]) => median(a) - median(b))
		.map(([contestant, samples]) => {
			const role = contestant.includes("Muster") ? "muster" : "reference";
			return { measure: "activation", contestant, role, unit: "ms", samples };
		});
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
