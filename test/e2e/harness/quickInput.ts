import type { Locator, Page } from "playwright-core";
import { until } from "../../vscode/until.ts";

/** The command palette, quick picks and input boxes: all are the same widget, one after the other. */
export class QuickInput {
	readonly widget: Locator;
	readonly input: Locator;
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
		this.widget = page.locator(".quick-input-widget");
		this.input = this.widget.locator(".quick-input-box input.input, .quick-input-filter input.input").first();
	}

	/** Runs a command through the palette by its full title, with its category. */
	async run(title: string): Promise<void> {
		// Right after the start, and while a webview has the focus, a key press may go nowhere; and a palette that was opened
		// before the extension's commands were known never shows them.
		await until(
			`the command palette to offer “${title}”`,
			async () => {
				if (!(await this.#opens())) return false;
				await this.input.fill(`>${title}`);
				if (await isThereSoon(this.row(title))) return true;
				await this.cancel();
				return false;
			},
			60_000,
		);
		await this.row(title).click();
	}

	async #opens(): Promise<boolean> {
		if ((await this.input.isVisible()) && (await this.input.inputValue()).startsWith(">")) return true;
		await this.#page.keyboard.press("F1");
		return isThereSoon(this.input);
	}

	/** The row with exactly this label, or one that matches. Only what is scrolled into view is there: filter first. */
	row(label: string | RegExp): Locator {
		const name = this.#page.locator(".quick-input-list-label").getByText(label, { exact: true });
		return this.widget.locator(".quick-input-list .monaco-list-row").filter({ has: name }).first();
	}

	/** The labels of the rows in view. */
	labels(): Promise<string[]> {
		return this.widget.locator(".quick-input-list .monaco-list-row .label-name").allInnerTexts();
	}

	/** Chooses a row of a quick pick. */
	async pick(label: string | RegExp): Promise<void> {
		await this.row(label).click();
	}

	/** Ticks a row of a quick pick that allows several; `accept` closes it. */
	async tick(label: string | RegExp): Promise<void> {
		await this.row(label).locator(".quick-input-list-checkbox, .monaco-checkbox").first().click();
	}

	/** Filters a quick pick. */
	async filter(text: string): Promise<void> {
		await this.input.fill(text);
	}

	/** Waits until the widget shows this text as its title, prompt or placeholder: the step that is meant, not the one before. */
	async shows(text: string | RegExp): Promise<void> {
		const matches = (shown: string) => (typeof text === "string" ? shown.includes(text) : text.test(shown));
		await until(`a quick input that shows ${text}`, async () => {
			if (!(await this.input.isVisible())) return false;
			const shown = [await this.widget.innerText(), (await this.input.getAttribute("placeholder")) ?? ""];
			return shown.some(matches);
		});
	}

	/** Fills the input box whose title, prompt or placeholder holds `prompt`, and accepts. */
	async answer(prompt: string | RegExp, text: string): Promise<void> {
		await this.shows(prompt);
		await this.input.fill(text);
		await this.accept();
	}

	async accept(): Promise<void> {
		await this.input.press("Enter");
	}

	/** What stands below the input: the prompt, or what is wrong with the value. */
	message(): Promise<string> {
		return this.widget.locator(".quick-input-message").innerText();
	}

	async cancel(): Promise<void> {
		await this.input.press("Escape");
		await this.widget.waitFor({ state: "hidden" });
	}
}

function isThereSoon(locator: Locator): Promise<boolean> {
	return locator.waitFor({ timeout: 2000 }).then(
		() => true,
		() => false,
	);
}
