import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PanelToHost } from "../../src/protocol/panel.ts";
import { aPatch, anEndedRun, aRun, aSnapshot, runId } from "../unit/webview/aRun.ts";
import { type PanelBrowser, startPanelBrowser } from "./panelBrowser.ts";

const threeRuns = [1, 2, 3].map((number) =>
	aRun({ runId: runId(number), title: `Task ${number}`, startedAt: 1_000_000 + number }),
);

const manyRuns = Array.from({ length: 1000 }, (_, index) =>
	anEndedRun({ runId: runId(index), title: `Task ${index}`, endedAt: 9_000_000 - index }),
);

describe("the panel by keyboard", () => {
	let browser: PanelBrowser;
	beforeAll(async () => {
		browser = await startPanelBrowser();
	});
	afterAll(() => browser[Symbol.asyncDispose]());

	const openWith = async (runs: Parameters<typeof aSnapshot>[0]) => {
		const panel = await browser.open();
		await panel.send(aSnapshot(runs));
		await panel.takeSent();
		return { panel, page: panel.page, keyboard: panel.page.keyboard };
	};

	it("says ready once and starts on the first row", async () => {
		const panel = await browser.open();
		expect(await panel.sent()).toEqual([{ v: 1, type: "ready" }]);
		await panel.send(aSnapshot(threeRuns));
		expect(await panel.focusedRunId()).toBe(runId(1));
	});

	it("moves by arrows, pages, Home and End, and never past the ends", async () => {
		const { panel, keyboard } = await openWith(manyRuns);
		const after = async (...keys: string[]) => {
			for (const key of keys) await keyboard.press(key);
			return panel.focusedRunId();
		};
		expect(await after("ArrowUp")).toBe(runId(0));
		expect(await after("ArrowDown", "ArrowDown")).toBe(runId(2));
		expect(await after("End")).toBe(runId(999));
		expect(await after("ArrowDown")).toBe(runId(999));
		expect(await after("Home")).toBe(runId(0));
		const paged = Number((await after("PageDown"))?.slice(4));
		expect(paged).toBeGreaterThan(10);
		expect(await after("PageUp")).toBe(runId(0));
	});

	it("shows the row it moves to, whole, below the header", async () => {
		const { page, keyboard } = await openWith(manyRuns);
		const hidden: string[] = [];
		for (const key of ["End", "PageUp", "Home", "PageDown", "PageDown", "ArrowUp"]) {
			await keyboard.press(key);
			const isInView = await page.evaluate(() => {
				const row = document.activeElement?.getBoundingClientRect();
				const grid = document.querySelector(".grid")?.getBoundingClientRect();
				const head = document.querySelector(".head")?.getBoundingClientRect();
				return row && grid && head && row.top >= head.bottom - 1 && row.bottom <= grid.bottom + 1;
			});
			if (isInView !== true) hidden.push(key);
		}
		expect(hidden).toEqual([]);
	});

	it("opens the transcript on Enter, once per press", async () => {
		const { panel, keyboard } = await openWith(threeRuns);
		await keyboard.press("ArrowDown");
		await keyboard.down("Enter");
		await keyboard.down("Enter");
		await keyboard.up("Enter");
		expect(await panel.takeSent()).toEqual([{ v: 1, type: "run.openTranscript", runId: runId(2) }]);
	});

	it("stops with s and Enter, sends exactly one valid message, and gives the focus back to the row", async () => {
		const { panel, page, keyboard } = await openWith(threeRuns);
		await keyboard.press("s");
		expect(await page.getByRole("group", { name: "Stop this run?" }).count()).toBe(1);
		expect(await panel.takeSent()).toEqual([]);
		await keyboard.press("Enter");
		const sent = await panel.takeSent();
		expect(sent).toEqual([{ v: 1, type: "run.stop", runId: runId(1) }]);
		expect(PanelToHost.safeParse(sent[0]).success).toBe(true);
		expect(await panel.focusedRunId()).toBe(runId(1));
		await keyboard.press("s");
		expect(await page.getByRole("group", { name: "Stop this run?" }).count()).toBe(0);
		expect(await page.locator(".run:focus .last").textContent()).toBe("Stopping…");
	});

	it.each(["Escape", "ArrowDown", "ArrowUp"])("keeps the run when the question is left with %s", async (key) => {
		const { panel, page, keyboard } = await openWith(threeRuns);
		await keyboard.press("s");
		await keyboard.press(key);
		expect(await page.getByRole("group", { name: "Stop this run?" }).count()).toBe(0);
		expect(await panel.focusedRunId()).toMatch(/^run_/);
		expect(await panel.takeSent()).toEqual([]);
	});

	it("drops the question when the run ends by itself, and a late Enter stops nothing", async () => {
		const { panel, keyboard } = await openWith(threeRuns);
		await keyboard.press("s");
		await panel.send(aPatch(2, [anEndedRun({ runId: runId(1) })]));
		expect(await panel.focusedRunId()).toBe(runId(1));
		await keyboard.press("s");
		expect(await panel.takeSent()).toEqual([]);
	});

	it("asks nothing on a run that has ended", async () => {
		const { page, keyboard } = await openWith([anEndedRun()]);
		await keyboard.press("s");
		expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
	});

	it("filters from / and comes back to the list with Enter; letters typed there stop nothing", async () => {
		const { panel, page, keyboard } = await openWith(threeRuns);
		await keyboard.press("/");
		await keyboard.type("TASK 3");
		expect(await page.locator(".run").count()).toBe(1);
		await keyboard.press("Enter");
		expect(await panel.focusedRunId()).toBe(runId(3));
		await keyboard.press("/");
		await keyboard.type("s?/");
		expect(await panel.takeSent()).toEqual([]);
		expect(await page.getByText("0 of 3.").count()).toBe(1);
		await keyboard.press("Escape");
		expect(await page.locator(".run").count()).toBe(3);
		await keyboard.press("Escape");
		expect(await panel.focusedRunId()).toBe(runId(3));
	});

	it("shows the keys with ? and gives the focus back on Escape", async () => {
		const { panel, page, keyboard } = await openWith(threeRuns);
		await keyboard.press("ArrowDown");
		await keyboard.press("?");
		expect(await page.getByRole("dialog", { name: "Keys" }).count()).toBe(1);
		await keyboard.press("Escape");
		expect(await page.getByRole("dialog").count()).toBe(0);
		expect(await panel.focusedRunId()).toBe(runId(2));
	});

	it("reaches the row's own buttons with Tab, and no other row's", async () => {
		const { panel, page, keyboard } = await openWith(threeRuns);
		const focusedLabel = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
		await keyboard.press("Tab");
		expect(await focusedLabel()).toBe("Open Transcript");
		await keyboard.press("Enter");
		expect(await panel.takeSent()).toEqual([{ v: 1, type: "run.openTranscript", runId: runId(1) }]);
		await keyboard.press("Tab");
		expect(await focusedLabel()).toBe("Stop");
		await keyboard.press("Tab");
		expect(await page.evaluate(() => document.activeElement?.closest(".run") === null)).toBe(true);
	});

	it("keeps the focused row mounted and focused when it is scrolled far away", async () => {
		const { panel, page, keyboard } = await openWith(manyRuns);
		await keyboard.press("ArrowDown");
		await page.mouse.move(600, 400);
		await page.mouse.wheel(0, 12_000);
		await page.locator(`[data-run=${runId(540)}]`).waitFor();
		expect(await panel.focusedRunId()).toBe(runId(1));
		await keyboard.press("ArrowDown");
		expect(await panel.focusedRunId()).toBe(runId(2));
		// The rows follow the scrolling with the next frame.
		await page.locator(`[data-run=${runId(540)}]`).waitFor({ state: "detached" });
	});

	it("keeps the focus on a run that ends and moves down the list", async () => {
		const { panel, page } = await openWith(threeRuns);
		await panel.send(aPatch(2, [anEndedRun({ runId: runId(1) })]));
		expect(await panel.focusedRunId()).toBe(runId(1));
		expect(await page.locator(".run:focus").getAttribute("aria-rowindex")).toBe("4");
	});

	it("hands the focus to the row now in that place when the focused run is removed", async () => {
		const { panel, keyboard } = await openWith(threeRuns);
		await keyboard.press("ArrowDown");
		await panel.send(aPatch(2, [], [runId(2)]));
		expect(await panel.focusedRunId()).toBe(runId(3));
		await panel.send(aPatch(3, [], [runId(3)]));
		expect(await panel.focusedRunId()).toBe(runId(1));
	});
});
