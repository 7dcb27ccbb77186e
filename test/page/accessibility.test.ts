import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aPatch, anEndedRun, aRun, aSnapshot, runId } from "../unit/webview/aRun.ts";
import { type PanelBrowser, type PanelPage, startPanelBrowser } from "./panelBrowser.ts";
import { sampleNow, sampleRuns } from "./sampleRuns.ts";
import { themes } from "./themes.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a user of assistive technology could not work with, each with the place it was found at. */
async function seriousFaults({ page }: PanelPage): Promise<string[]> {
	await page.evaluate(axe);
	const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
	return violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describe("the panel for assistive technology", () => {
	let browser: PanelBrowser;
	beforeAll(async () => {
		browser = await startPanelBrowser();
	});
	afterAll(() => browser[Symbol.asyncDispose]());

	const cases = Object.entries(themes).flatMap(([name, theme]) =>
		[1400, 420, 320].map((width) => ({ name, theme, width })),
	);
	it.each(cases)("has no serious fault in $name at $width px, whatever is open", async ({ theme, width }) => {
		const panel = await browser.open({ theme, width });
		const { keyboard } = panel.page;
		await panel.send(aSnapshot([]));
		const faults = { empty: await seriousFaults(panel) };
		await panel.send(
			aSnapshot(sampleRuns, { revision: 2, now: sampleNow, notice: "Restricted mode: nothing is started." }),
		);
		const list = await seriousFaults(panel);
		await keyboard.press("ArrowDown");
		await keyboard.press("s");
		const question = await seriousFaults(panel);
		await keyboard.press("Escape");
		await keyboard.press("?");
		const keys = await seriousFaults(panel);
		await keyboard.press("Escape");
		await keyboard.press("/");
		await keyboard.type("no such run");
		const nothing = await seriousFaults(panel);
		expect({ ...faults, list, question, keys, nothing }).toEqual({
			empty: [],
			list: [],
			question: [],
			keys: [],
			nothing: [],
		});
	});

	it("finds a fault that is there, so that the tests above can fail", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot(sampleRuns));
		await panel.page.evaluate(() => document.querySelector("[role=searchbox]")?.removeAttribute("aria-label"));
		await panel.page.evaluate(() => document.querySelector("[role=searchbox]")?.removeAttribute("placeholder"));
		expect(await seriousFaults(panel)).toContainEqual(expect.stringMatching(/^label/));
	});

	it("shows the selected row and the pressed chip when the system forces its own colours", async () => {
		const panel = await browser.open();
		await panel.page.emulateMedia({ forcedColors: "active" });
		await panel.send(aSnapshot(sampleRuns));
		const outline = (selector: string) =>
			panel.page
				.locator(selector)
				.first()
				.evaluate((element) => getComputedStyle(element).outlineStyle);
		expect(await outline("[aria-selected=true].run")).toBe("solid");
		expect(await outline("[aria-pressed=true]")).toBe("solid");
	});

	it("counts all rows for the reader, and numbers those that exist", async () => {
		const panel = await browser.open();
		await panel.send(
			aSnapshot(Array.from({ length: 1000 }, (_, index) => anEndedRun({ runId: runId(index), endedAt: 5000 - index }))),
		);
		await panel.page.keyboard.press("End");
		const grid = panel.page.getByRole("grid", { name: "Runs" });
		expect(await grid.getAttribute("aria-rowcount")).toBe("1001");
		expect(await panel.page.locator("[data-run].run:focus").getAttribute("aria-rowindex")).toBe("1001");
	});

	it("says what ended and who waits, merged, and stays silent about progress", async () => {
		const panel = await browser.open();
		const status = panel.page.getByRole("status");
		const runs = [1, 2, 3].map((number) => aRun({ runId: runId(number), title: `Task ${number}` }));
		await panel.send(aSnapshot(runs));
		await panel.send(aPatch(2, [aRun({ runId: runId(1), title: "Task 1", activity: "exec npm test" })]));
		expect(await status.textContent()).toBe("");
		await panel.send(aPatch(3, [anEndedRun({ runId: runId(1), title: "Task 1" })]));
		await expect.poll(() => status.textContent()).toBe("Task 1: ok");
		await panel.send(aPatch(4, [anEndedRun({ runId: runId(2), state: "error" })]));
		await panel.send(aPatch(5, [aRun({ runId: runId(3), state: "waiting_approval" })]));
		await expect.poll(() => status.textContent(), { timeout: 10_000 }).toBe("Runs: 1 waiting for you, 1 failed");
	});

	it.each(["prefers-reduced-motion", "vscode-reduce-motion"])("stands still with %s", async (wish) => {
		const panel = await browser.open();
		await panel.send(aSnapshot([aRun()]));
		const spinner = panel.page.locator(".run [data-icon=loading]");
		const animation = () => spinner.evaluate((icon) => getComputedStyle(icon).animationName);
		expect(await animation()).toBe("turn");
		if (wish === "prefers-reduced-motion") await panel.page.emulateMedia({ reducedMotion: "reduce" });
		else await panel.page.evaluate((name) => document.body.classList.add(name), wish);
		expect(await animation()).toBe("none");
	});
});
