import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aPatch, aRun, aSnapshot, runId } from "../unit/webview/aRun.ts";
import { type PanelBrowser, startPanelBrowser } from "./panelBrowser.ts";
import { sampleRuns } from "./sampleRuns.ts";

describe("the panel's content security policy", () => {
	let browser: PanelBrowser;
	beforeAll(async () => {
		browser = await startPanelBrowser();
	});
	afterAll(() => browser[Symbol.asyncDispose]());

	it("holds through a whole session without one violation or a word on the console", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot(sampleRuns));
		await panel.send(aPatch(2, [aRun({ runId: runId(20), title: "New" })], [runId(7)]));
		for (const key of ["ArrowDown", "s", "Escape", "?", "Escape", "/", "x", "Escape", "Escape"]) {
			await panel.page.keyboard.press(key);
		}
		await panel.page.setViewportSize({ width: 320, height: 600 });
		expect(await panel.problems()).toEqual([]);
	});

	it("blocks inline styles, requests and HTML from strings, so that the first test can fail", async () => {
		const panel = await browser.open();
		const refusal = await panel.page.evaluate(async () => {
			const style = document.createElement("style");
			style.textContent = "body { color: red }";
			document.head.append(style);
			await fetch("/panel.js").catch(() => undefined);
			try {
				document.body.innerHTML = "<b>bold</b>";
				return "accepted";
			} catch (error) {
				return String(error);
			}
		});
		expect(refusal).toMatch(/TrustedHTML/);
		const problems = await panel.problems();
		for (const directive of ["style-src-elem", "connect-src", "require-trusted-types-for"]) {
			expect(problems).toContainEqual(expect.stringContaining(directive));
		}
	});
});
