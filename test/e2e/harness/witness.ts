import type { BrowserContext } from "playwright-core";

/**
 * Sees what the pages of one browser context do behind the screen: what they write to the console, where they turn to
 * outside this machine (which is refused), and what their content security policy forbids.
 */
export class Witness {
	readonly console: string[] = [];
	readonly externalRequests: string[] = [];
	readonly cspViolations: string[] = [];

	/** Has to be called before the context's first page opens. */
	async watch(context: BrowserContext): Promise<void> {
		context.on("console", (message) => {
			const text = `${message.type()}: ${message.text()}`;
			this.console.push(text);
			// Not by listening for the event: a webview writes its document anew, which drops every listener.
			if (/Content Security Policy/.test(text)) this.cspViolations.push(text);
		});
		context.on("weberror", (error) => this.console.push(`uncaught: ${error.error().stack ?? error.error().message}`));
		await context.route(isExternal, (route) => {
			this.externalRequests.push(route.request().url());
			return route.abort();
		});
	}

	/** Throws if a page has turned to the outside or broken its content security policy. */
	assertInnocent(): void {
		const faults = [
			...this.externalRequests.map((url) => `A page asked for ${url}, which is not on this machine.`),
			...this.cspViolations.map((text) => `Against the content security policy: ${text}`),
		];
		if (faults.length > 0) throw new Error([...new Set(faults)].join("\n"));
	}
}

function isExternal({ protocol, hostname }: URL): boolean {
	return /^(https?|wss?):$/.test(protocol) && !["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}
