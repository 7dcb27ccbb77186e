import type { Locator, Page } from "playwright-core";

/**
 * Toasts, and the centre that keeps what toasts no longer show. At most three toasts appear at once and most leave by
 * themselves after some ten seconds, so a slow machine may miss one: what matters is in the centre as well.
 */
export class Notifications {
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
	}

	toast(text: string | RegExp): Locator {
		return this.#page.locator(".notifications-toasts .notification-toast").filter({ hasText: text }).first();
	}

	async pressToastButton(text: string | RegExp, button: string): Promise<void> {
		await this.toast(text).getByRole("button", { name: button, exact: true }).click();
	}

	/** Opens the centre if it is closed. */
	async openCentre(): Promise<void> {
		const centre = this.#page.locator(".notifications-center.visible");
		if (await centre.isVisible()) return;
		await this.#page.locator('.statusbar-item[id="status.notifications"]').click();
		await centre.waitFor();
	}

	async closeCentre(): Promise<void> {
		await this.#page.keyboard.press("Escape");
		await this.#page.locator(".notifications-center.visible").waitFor({ state: "hidden" });
	}

	centreItem(text: string | RegExp): Locator {
		return this.#page.locator(".notifications-center .notification-list-item").filter({ hasText: text }).first();
	}

	/** Presses a notification's button in the centre, wherever its toast is by now. */
	async pressButton(text: string | RegExp, button: string): Promise<void> {
		await this.openCentre();
		const item = this.centreItem(text);
		await item.hover(); // its buttons show on hover only
		await item.locator(".monaco-button").getByText(button, { exact: true }).click();
	}

	/** The texts in the centre, newest first. Opens it. */
	async texts(): Promise<string[]> {
		await this.openCentre();
		return this.#page.locator(".notifications-center .notification-list-item-message").allInnerTexts();
	}
}
