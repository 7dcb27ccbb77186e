import type { Frame, FrameLocator, Locator, Page } from "playwright-core";
import { until } from "../../vscode/until.ts";
import { Chat } from "./chat.ts";
import { Notifications } from "./notifications.ts";
import { QuickInput } from "./quickInput.ts";

const actionTimeoutMs = 40_000;

/**
 * One window of VS Code, as a person sees and uses it. Every wait polls and gives up with a sentence about what it
 * waited for. The selectors belong to the VS Code version in test/vscode/package-lock.json.
 */
export class Workbench {
	readonly page: Page;
	readonly quickInput: QuickInput;
	readonly notifications: Notifications;
	readonly chat: Chat;

	private constructor(page: Page) {
		this.page = page;
		this.quickInput = new QuickInput(page);
		this.notifications = new Notifications(page);
		this.chat = new Chat(page);
		page.setDefaultTimeout(actionTimeoutMs);
	}

	/** Resolves when the window is drawn. Extensions may still be starting. */
	static async open(page: Page, url: string): Promise<Workbench> {
		const workbench = new Workbench(page);
		await page.goto(url, { waitUntil: "domcontentloaded", timeout: 60_000 });
		await workbench.#isDrawn();
		return workbench;
	}

	async #isDrawn(): Promise<void> {
		await this.page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: 60_000 });
	}

	/** Runs a command through the palette, by its full title with category: `Muster: Open Ops Panel`. */
	async run(title: string): Promise<void> {
		await this.quickInput.run(title);
	}

	/** Reloads the window as a user does: the extension host ends after `deactivate` and a new one starts. */
	async reload(): Promise<void> {
		await this.page.evaluate(() => document.body.setAttribute("data-before-reload", ""));
		await this.run("Developer: Reload Window");
		await this.page.locator("body:not([data-before-reload])").waitFor({ timeout: 60_000 });
		await this.#isDrawn();
	}

	// --- side bar

	/** Shows a view container of the activity bar. */
	async openContainer(title: string): Promise<void> {
		const shown = this.page.locator(".part.sidebar .composite.title").filter({ hasText: new RegExp(title, "i") });
		if (await shown.isVisible()) return;
		// By its command: a click on the icon hides a container that is just coming back after a reload.
		await this.run(`View: Show ${title}`);
		await shown.waitFor();
	}

	/** The number on a container's icon, as text; empty without one. */
	async badge(title: string): Promise<string> {
		const label = this.page.locator(`.action-label[aria-label^="${title}"]`);
		const item = this.page.locator(".activitybar .action-item").filter({ has: label });
		return (await item.locator(".badge-content").allInnerTexts()).join("");
	}

	/** One view (section) of the side bar, by the name in its header. */
	view(name: string): Locator {
		const header = this.page.locator(`.pane-header[aria-label^="${name}"]`);
		return this.page.locator(".part.sidebar .pane").filter({ has: header });
	}

	/** Presses a button in a view's header, which is the side bar's title where the view is the only one. */
	async viewAction(view: string, action: string): Promise<void> {
		const title = this.page.locator(".part.sidebar > .composite.title").filter({ hasText: view });
		const header = this.view(view).locator(".pane-header:visible").or(title).first();
		await this.#hoverAndClick(header, `.action-label[aria-label^="${action}"]`);
	}

	/** A tree row by its accessible name (`accessibilityInformation.label`). Only rows in view are there. */
	row(name: string | RegExp): Locator {
		return this.page.getByRole("treeitem", { name }).first();
	}

	/** Presses an inline action of a tree row. */
	async rowAction(name: string | RegExp, action: string): Promise<void> {
		await this.#hoverAndClick(this.row(name), `.action-label[aria-label^="${action}"]`);
	}

	/** Chooses from a tree row's context menu. */
	async rowMenu(name: string | RegExp, action: string): Promise<void> {
		await this.row(name).click({ button: "right" });
		const item = this.page.getByRole("menuitem", { name: action }).first();
		// By the keyboard: a menu that has just opened takes the next release of a button for that of its opening.
		await item.hover();
		await this.page.keyboard.press("Enter");
		await item.waitFor({ state: "hidden" });
	}

	/** Actions that show on hover only, on things that are drawn anew while they change. */
	async #hoverAndClick(place: Locator, action: string): Promise<void> {
		await until(`“${action}” to be pressed`, async () => {
			try {
				await place.hover({ timeout: 2000 });
				await place.locator(action).first().click({ timeout: 2000 });
				return true;
			} catch (error) {
				if (error instanceof Error && error.name === "TimeoutError") return false;
				throw error;
			}
		});
	}

	// --- dialogs and the status bar

	/** A modal dialog that holds this text. */
	dialog(text: string | RegExp): Locator {
		return this.page.locator(".monaco-dialog-box").filter({ hasText: text });
	}

	/** Presses a button of the modal dialog that holds this text, and waits until the dialog is gone. */
	async pressDialogButton(text: string | RegExp, button: string): Promise<void> {
		await this.dialog(text).getByRole("button", { name: button, exact: true }).click();
		await this.dialog(text).waitFor({ state: "hidden" });
	}

	/** A status bar item. An extension's has the id `publisher.name.itemId`. */
	status(id: string): Locator {
		return this.page.locator(`.statusbar-item[id="${id}"]`);
	}

	// --- editors and webviews

	/** The labels of the open editors. */
	tabs(): Promise<string[]> {
		return this.page.locator(".tabs-container .tab .label-name").allInnerTexts();
	}

	/** An open editor's tab. */
	tab(name: string | RegExp): Locator {
		return this.page.locator(".tabs-container .tab").filter({ hasText: name }).first();
	}

	/** The lines in view of the text editor that was used last. */
	async editorText(): Promise<string> {
		const lines = this.page.locator(".editor-group-container.active .monaco-editor .view-lines > .view-line");
		const texts = await lines.evaluateAll((elements) =>
			elements
				.map((element) => ({ top: element.getBoundingClientRect().top, text: element.textContent }))
				.toSorted((one, other) => one.top - other.top)
				.map(({ text }) => text),
		);
		return texts.join("\n").replaceAll("\u00a0", " ");
	}

	/** The content of the n-th visible webview, two frames deep. With several open, `frameWith` is the surer way. */
	webview(index = 0): FrameLocator {
		return this.page.frameLocator("iframe.webview.ready").nth(index).frameLocator("#active-frame");
	}

	/** The frame that has an element matching `selector` with this text, among all open webviews. */
	frameWith(selector: string, text: string | RegExp = ""): Promise<Frame> {
		return until(`a webview with ${selector} ${text}`, async () => {
			for (const frame of this.page.frames()) {
				const found = frame.locator(selector).filter({ hasText: text });
				// a frame may go away between the listing and the question
				if ((await found.count().catch(() => 0)) > 0) return frame;
			}
			return undefined;
		});
	}

	// --- looks

	/** Changes the colour theme, by the name that VS Code shows: `Dark Modern`, `Default High Contrast`, … */
	async setTheme(name: string): Promise<void> {
		await this.run("Preferences: Color Theme");
		await this.quickInput.shows(/Select Color Theme/);
		await this.quickInput.filter(name);
		await this.quickInput.pick(name);
		await this.quickInput.widget.waitFor({ state: "hidden" });
		await this.page.locator(`.monaco-workbench.${themeClass(name)}`).waitFor();
	}

	async screenshot(file: string): Promise<void> {
		await this.page.screenshot({ path: file });
	}
}

/** The class that the workbench has while a theme of this name is drawn. */
function themeClass(name: string): string {
	const isLight = name.includes("Light");
	if (name.includes("High Contrast")) return isLight ? "hc-light" : "hc-black";
	return isLight ? "vs" : "vs-dark";
}
