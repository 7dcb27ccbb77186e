import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PanelToHost } from "../../src/protocol/panel.ts";
import { aPatch, anEndedRun, aRun, aSnapshot, runId } from "../unit/webview/aRun.ts";
import { type PanelBrowser, startPanelBrowser } from "./panelBrowser.ts";
import { sampleNow, sampleRuns } from "./sampleRuns.ts";

const manyRuns = (count: number) =>
	Array.from({ length: count }, (_, index) =>
		anEndedRun({ runId: runId(index), title: `Task ${index}`, endedAt: 9_000_000 - index }),
	);

describe("the list of runs", () => {
	let browser: PanelBrowser;
	beforeAll(async () => {
		browser = await startPanelBrowser();
	});
	afterAll(() => browser[Symbol.asyncDispose]());

	it("shows a run in every state in words, with its cost, tokens and last step", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot(sampleRuns, { now: sampleNow }));
		const words = await panel.page.locator(".run .word").allTextContents();
		expect(words).toEqual([
			"waiting for you",
			"running",
			"running",
			"waiting for children",
			"queued #1",
			"queued #2",
			"ok",
			"error",
			"partial",
			"timed out",
			"stopped",
			"lost",
		]);
		const second = panel.page.locator(".run").nth(1);
		expect(await second.locator(".elapsed, .tokens, .cost, .last").allTextContents()).toEqual([
			"3:06",
			"131.2k",
			"~$1.27",
			"edit src/cart/total.ts",
		]);
		expect(await panel.page.locator(".run", { hasText: "sessions survive" }).locator(".tag").textContent()).toBe(
			"Demo",
		);
	});

	it("draws every icon it uses", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot(sampleRuns, { now: sampleNow, notice: "Look." }));
		await panel.page.keyboard.press("?");
		const missing = await panel.page.evaluate(() =>
			[...document.querySelectorAll("use")]
				.map((use) => use.getAttribute("href") ?? "")
				.filter((href) => document.querySelector(`symbol${href} path`) === null),
		);
		expect(missing).toEqual([]);
	});

	it.each([
		[1400, 22],
		[700, 22],
		[420, 44],
		[320, 44],
	])("fits %i px with rows of %i px and nothing to scroll sideways", async (width, rowHeight) => {
		const panel = await browser.open({ width });
		await panel.send(aSnapshot(sampleRuns, { now: sampleNow }));
		const sizes = await panel.page.evaluate(() => ({
			page: document.documentElement.scrollWidth,
			grid: document.querySelector(".grid")?.scrollWidth,
			row: document.querySelector(".run")?.getBoundingClientRect().height,
			filterBar: document.querySelector(".filterBar")?.scrollWidth,
		}));
		expect(sizes).toEqual({ page: width, grid: width, row: rowHeight, filterBar: width });
	});

	it("keeps the topmost run in place when the page gets narrow", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot(manyRuns(300)));
		await panel.page.locator(".grid").evaluate((grid) => (grid.scrollTop = 100 * 22));
		await panel.page.locator(`[data-run=${runId(120)}]`).waitFor();
		await panel.page.setViewportSize({ width: 400, height: 800 });
		await expect.poll(() => panel.page.locator(".grid").evaluate((grid) => grid.scrollTop)).toBe(100 * 44);
	});

	it("stays below 3,000 elements with 1,000 runs of which 8 change all the time", async () => {
		const panel = await browser.open({ height: 1200 });
		const live = (turn: number) =>
			Array.from({ length: 8 }, (_, index) =>
				aRun({ runId: runId(5000 + index), startedAt: 1000 + index, activity: `step ${turn}`, inputTokens: turn }),
			);
		await panel.send(aSnapshot([...live(0), ...manyRuns(992)]));
		for (let turn = 1; turn <= 40; turn++) await panel.send(aPatch(turn + 1, live(turn)));
		expect(await panel.page.locator(".run .last").first().textContent()).toBe("step 40");
		expect(await panel.elementCount()).toBeLessThan(3000);
		expect(await panel.page.locator(".run").count()).toBeLessThan(100);
		expect(await panel.page.locator(".total").textContent()).toContain("1,000 runs");
	});

	it("touches no row but those that change", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot([aRun({ runId: runId(900) }), ...manyRuns(30)]));
		const touched = panel.page.evaluate(
			() =>
				new Promise<string[]>((resolve) => {
					const rows = document.querySelector(".rows");
					if (rows === null) return resolve([]);
					const options = { subtree: true, childList: true, characterData: true, attributes: true };
					new MutationObserver((changes) => {
						const lines = changes.map(({ target }) => {
							const element = target instanceof Element ? target : target.parentElement;
							return element?.closest(".run")?.getAttribute("data-run") ?? "none";
						});
						resolve([...new Set(lines)]);
					}).observe(rows, options);
				}),
		);
		await panel.send(aPatch(2, [aRun({ runId: runId(900), activity: "exec npm test" })]));
		expect(await touched).toEqual([runId(900)]);
	});

	it("holds still under the reader while runs come in above", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot(manyRuns(300)));
		await panel.page.locator(".grid").evaluate((grid) => (grid.scrollTop = 100 * 22));
		const row = panel.page.locator(`[data-run=${runId(110)}]`);
		await row.waitFor();
		const before = await row.boundingBox();
		await panel.send(
			aPatch(
				2,
				[1, 2, 3].map((number) => aRun({ runId: runId(4000 + number) })),
			),
		);
		expect((await row.boundingBox())?.y).toBe(before?.y);
		expect(await row.getAttribute("aria-rowindex")).toBe("115");
	});

	it("lets new runs come into sight when the reader is at the top", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot(manyRuns(300)));
		await panel.send(aPatch(2, [aRun({ runId: runId(4000), title: "Just spawned" })]));
		expect(await panel.page.locator(".run .title").first().textContent()).toBe("Just spawned");
		expect(await panel.page.locator(".grid").evaluate((grid) => grid.scrollTop)).toBe(0);
	});

	it("counts by group, filters by chip, and offers the way back when nothing matches", async () => {
		const panel = await browser.open();
		const { page } = panel;
		await panel.send(aSnapshot(sampleRuns, { now: sampleNow }));
		expect(await page.getByRole("group", { name: "Show" }).getByRole("button").allTextContents()).toEqual([
			"All 12",
			"Active 6",
			"Failed 3",
			"Finished 3",
		]);
		await page.getByRole("button", { name: "Failed" }).click();
		expect(await page.locator(".run .word").allTextContents()).toEqual(["error", "timed out", "lost"]);
		await page.getByRole("searchbox", { name: "Filter runs" }).fill("(a+)+$");
		expect(await page.getByText("0 of 12.").count()).toBe(1);
		await page.getByRole("button", { name: "Clear filters" }).click();
		expect(await page.locator(".run").count()).toBe(12);
		expect(await panel.focusedRunId()).toBe(runId(1));
	});

	it("opens the transcript by double click and by button, and stops by mouse only after asking", async () => {
		const panel = await browser.open();
		const { page } = panel;
		await panel.send(aSnapshot([aRun()]));
		await panel.takeSent();
		const row = page.locator(".run");
		await row.locator(".title").dblclick();
		await row.getByRole("button", { name: "Open Transcript" }).click();
		const open = { v: 1, type: "run.openTranscript", runId: runId(1) };
		expect(await panel.takeSent()).toEqual([open, open]);
		await row.getByRole("button", { name: "Stop" }).dblclick();
		expect(await panel.takeSent()).toEqual([]);
		await row.getByRole("button", { name: "Stop" }).click();
		await row.getByRole("button", { name: "Keep" }).click();
		await row.getByRole("button", { name: "Stop" }).click();
		await row.getByRole("button", { name: "Stop", exact: true }).click();
		expect(await panel.takeSent()).toEqual([{ v: 1, type: "run.stop", runId: runId(1) }]);
	});

	it("says that nothing has run yet and offers to spawn", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot([]));
		await panel.takeSent();
		expect(await panel.page.getByText("Nothing has run here yet").count()).toBe(1);
		await panel.page.getByRole("button", { name: "Spawn Subagent…" }).click();
		const sent = await panel.takeSent();
		expect(sent).toEqual([{ v: 1, type: "spawn" }]);
		expect(PanelToHost.safeParse(sent[0]).success).toBe(true);
	});

	it("shows why nothing can be done instead of offering it", async () => {
		const panel = await browser.open();
		await panel.send(aSnapshot([], { notice: "This workspace is not trusted." }));
		expect(await panel.page.getByText("This workspace is not trusted.").count()).toBe(1);
		expect(await panel.page.getByRole("button", { name: /Spawn/ }).count()).toBe(0);
	});
});
