import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aPatch, anEndedRun, aRun, aSnapshot, runId } from "../unit/webview/aRun.ts";
import { type PanelBrowser, startPanelBrowser } from "./panelBrowser.ts";

describe("the panel and its host", () => {
	let browser: PanelBrowser;
	beforeAll(async () => {
		browser = await startPanelBrowser();
	});
	afterAll(() => browser[Symbol.asyncDispose]());

	it("asks for a snapshot once after a gap and goes on from there", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot([aRun({ title: "Old" })]));
		await panel.takeSent();
		await panel.send(aPatch(3, [aRun({ title: "Missed one" })]));
		await panel.send(aPatch(4, [aRun({ title: "Missed two" })]));
		expect(await panel.takeSent()).toEqual([{ v: 1, type: "ready" }]);
		expect(await panel.page.locator(".run .title").textContent()).toBe("Old");
		await panel.send(aSnapshot([aRun({ title: "Fresh" })], { revision: 5 }));
		await panel.send(aPatch(6, [aRun({ title: "Next" })]));
		expect(await panel.page.locator(".run .title").textContent()).toBe("Next");
		expect(await panel.takeSent()).toEqual([]);
	});

	it("counts elapsed time by the host's clock, once a second", async () => {
		const panel = await browser.open();
		const { page } = panel;
		await page.clock.install({ time: 0 });
		await page.clock.pauseAt(60_000);
		await panel.send(aSnapshot([aRun({ startedAt: 7_000_000_000 })], { now: 7_000_062_000 }));
		const elapsed = page.locator(".run .elapsed");
		expect(await elapsed.textContent()).toBe("1:02");
		await page.clock.runFor(3000);
		expect(await elapsed.textContent()).toBe("1:05");
	});

	it("has no timer when nothing is live", async () => {
		const panel = await browser.open();
		const timers = () => panel.page.evaluate(() => window.panelTest.intervals.size);
		await panel.send(aSnapshot([aRun()]));
		expect(await timers()).toBe(1);
		await panel.send(aPatch(2, [anEndedRun()]));
		expect(await timers()).toBe(0);
	});

	it("keeps only how things look, and takes it up again", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot([aRun({ runId: runId(1) }), aRun({ runId: runId(2), title: "Other task" })]));
		await panel.page.keyboard.press("/");
		await panel.page.keyboard.type("task");
		await panel.page.keyboard.press("Enter");
		const state = await panel.page.evaluate(() => window.panelTest.state);
		expect(state).toEqual({ tab: "runs", filter: { text: "task", group: "all" }, selectedRunId: runId(2) });

		const again = await browser.open({ state });
		await again.send(aSnapshot([aRun({ runId: runId(1) }), aRun({ runId: runId(2), title: "Other task" })]));
		expect(await again.page.locator(".run").count()).toBe(1);
		expect(await again.focusedRunId()).toBe(runId(2));
	});

	it("scrolls to the run that was selected before", async () => {
		const panel = await browser.open({
			state: { tab: "runs", filter: { text: "", group: "all" }, selectedRunId: runId(700) },
		});
		await panel.send(
			aSnapshot(Array.from({ length: 1000 }, (_, index) => anEndedRun({ runId: runId(index), endedAt: 5000 - index }))),
		);
		expect(await panel.page.locator(".run:focus").evaluate((row) => row.getBoundingClientRect().bottom)).toBeLessThan(
			800,
		);
		expect(await panel.focusedRunId()).toBe(runId(700));
	});

	it("starts afresh when the kept state was tampered with", async () => {
		const panel = await browser.open({ state: { tab: "runs", filter: { text: 7, group: "<b>" }, selectedRunId: {} } });
		await panel.send(aSnapshot([aRun()]));
		expect(await panel.page.locator(".run").count()).toBe(1);
		expect(await panel.problems()).toEqual([]);
	});

	it("shows the static shell until the first snapshot", async () => {
		const panel = await browser.open();
		await expect.poll(() => panel.page.locator(".skeleton").isVisible()).toBe(true);
		await panel.send(aSnapshot([aRun()]));
		expect(await panel.page.locator(".skeleton").count()).toBe(0);
		expect(await panel.page.locator("#root").getAttribute("aria-busy")).toBeNull();
	});
});
