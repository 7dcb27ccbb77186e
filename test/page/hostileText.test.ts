import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anEndedRun, aSnapshot } from "../unit/webview/aRun.ts";
import { type PanelBrowser, startPanelBrowser } from "./panelBrowser.ts";

const hostile = [
	"<img src=x onerror=\"document.title='owned'\">",
	"</script><script>document.title='owned'</script>",
	"${document.title='owned'}",
	"javascript:document.title='owned'",
	"[click](command:workbench.action.terminal.new)",
	"<style>* { display: none }</style>",
	"\u202Egnp.exe\u202C \u2066x\u2069 \u0000\u001B[2J\r\nline two",
	"Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞",
	"\uD800 lone surrogate",
	"__proto__",
	"x".repeat(5_000_000),
];

describe("hostile text in a run", () => {
	let browser: PanelBrowser;
	beforeAll(async () => {
		browser = await startPanelBrowser();
	});
	afterAll(() => browser[Symbol.asyncDispose]());

	it.each(hostile.map((text) => ({ text, name: JSON.stringify(text.slice(0, 30)) })))(
		"is inert: $name",
		async ({ text }) => {
			const panel = await browser.open();
			const { page } = panel;
			const requests: string[] = [];
			page.on("request", (request) => requests.push(request.url()));
			await panel.send(aSnapshot([anEndedRun()]));
			const harmless = await panel.elementCount();
			const run = anEndedRun({ title: text, result: text, agent: text.slice(0, 1000), model: text.slice(0, 1000) });
			await panel.send(aSnapshot([run], { revision: 2, notice: null }));
			expect(await page.title()).toBe("Muster");
			expect(requests).toEqual([]);
			expect(await panel.elementCount()).toBe(harmless);
			expect(await panel.problems()).toEqual([]);
			const row = page.locator(".run");
			expect((await row.boundingBox())?.height).toBe(22);
			const shown = (await row.locator(".title").textContent()) ?? "";
			expect(shown.length).toBeLessThanOrEqual(301);
			expect(shown).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
			await page.getByRole("searchbox").fill(text.slice(0, 150));
			expect(await panel.problems()).toEqual([]);
		},
	);
});
