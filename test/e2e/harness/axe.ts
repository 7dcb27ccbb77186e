import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResults {
	readonly violations: readonly {
		readonly id: string;
		readonly impact: string;
		readonly nodes: readonly { readonly html: string }[];
	}[];
}

/** The serious and critical faults that axe finds in a frame. By evaluation: a script tag would be refused by the page's policy. */
export async function seriousFaults(frame: Frame): Promise<string[]> {
	await frame.evaluate(axeSource);
	const { violations } = await frame.evaluate(() =>
		(globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
	);
	return violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
