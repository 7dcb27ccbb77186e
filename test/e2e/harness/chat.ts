import type { Locator, Page } from "playwright-core";
import { until } from "../../vscode/until.ts";

/** VS Code's Chat view. Without an own model and `agentMode` it asks to sign in. */
export class Chat {
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
	}

	get input(): Locator {
		return this.#page.locator(".interactive-session .interactive-input-part .monaco-editor").first();
	}

	/** Opens the view, and waits until the model of this name is picked. */
	async open(model?: string): Promise<void> {
		await until("the Chat view", async () => {
			if (await this.input.isVisible()) return true;
			await this.#page.keyboard.press("Control+Alt+I");
			return this.input.waitFor({ timeout: 3000 }).then(
				() => true,
				() => false,
			);
		});
		if (model === undefined) return;
		await this.#page.locator(".interactive-input-part").getByText(model).first().waitFor({ timeout: 60_000 });
	}

	/** Sends a message and waits until it stands in the conversation; the answer takes its time. */
	async send(text: string): Promise<void> {
		const before = await this.#requests().count();
		await this.input.click();
		await this.#page.keyboard.press("Control+A");
		await this.#page.keyboard.press("Delete");
		await this.#page.keyboard.insertText(text);
		await this.#page.keyboard.press("Escape"); // closes the suggestions that @, # and / open
		await this.#page.keyboard.press("Enter");
		await until("the message to be sent", async () => (await this.#requests().count()) > before);
	}

	/** Waits until the answer to the last message is complete. */
	async idle(timeoutMs = 60_000): Promise<void> {
		const busy = this.#page.locator(".interactive-session .chat-response-loading");
		await until(
			"the chat to finish its answer",
			async () => (await this.#responses().count()) > 0 && (await busy.count()) === 0,
			timeoutMs,
		);
	}

	/** The last answer as one line of text. */
	async lastResponse(): Promise<string> {
		return (await this.#responses().last().innerText()).replace(/\s+/g, " ");
	}

	/** A button of the confirmation that a tool call waits for. */
	confirmButton(text: string | RegExp): Locator {
		const buttons = this.#page.locator(".chat-confirmation-widget-buttons .monaco-button:visible");
		return buttons.filter({ hasText: text }).first();
	}

	/** Stops the answer in progress. */
	async cancel(): Promise<void> {
		await this.input.click();
		await this.#page.keyboard.press("Control+Escape");
	}

	#requests(): Locator {
		return this.#page.locator(".interactive-session .interactive-item-container.interactive-request");
	}

	#responses(): Locator {
		return this.#page.locator(".interactive-session .interactive-item-container.interactive-response");
	}
}
