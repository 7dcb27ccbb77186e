/** Run by hand: `node test/page/takeScreenshots.ts <folder>` draws the panel in each theme and width, to be looked at. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { aSnapshot } from "../unit/webview/aRun.ts";
import { type PanelPage, startPanelBrowser } from "./panelBrowser.ts";
import { sampleNow, sampleRuns } from "./sampleRuns.ts";
import { themes } from "./themes.ts";

const folder = process.argv[2];
if (folder === undefined) throw new Error("Say where to put the pictures: node test/page/takeScreenshots.ts <folder>");
mkdirSync(folder, { recursive: true });
await using browser = await startPanelBrowser();
const shot = async (panel: PanelPage, name: string) => {
	await panel.page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
};
for (const [theme, look] of Object.entries(themes)) {
	for (const width of [1400, 700, 420, 320]) {
		const panel = await browser.open({ theme: look, width, height: width > 600 ? 420 : 760 });
		const { page } = panel;
		await panel.send(aSnapshot([]));
		await shot(panel, `${theme}-${width}-empty`);
		await panel.send(aSnapshot(sampleRuns, { revision: 2, now: sampleNow }));
		await shot(panel, `${theme}-${width}`);
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("s");
		await shot(panel, `${theme}-${width}-stop`);
		await page.keyboard.press("Escape");
		await page.keyboard.press("?");
		await shot(panel, `${theme}-${width}-keys`);
		await page.keyboard.press("Escape");
		await page.keyboard.press("/");
		await page.keyboard.type("nothing like this");
		await shot(panel, `${theme}-${width}-nothing`);
	}
}
