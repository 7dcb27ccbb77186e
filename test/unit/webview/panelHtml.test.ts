import { describe, expect, it } from "vitest";
import { panelHtml } from "../../../src/shell/panel/panelHtml.ts";

const html = panelHtml({
	cspSource: "https://*.vscode-cdn.net",
	nonce: "c2VjcmV0",
	scriptUri: "https://file.vscode-cdn.net/a&b/panel.js",
	styleUri: "https://file.vscode-cdn.net/a&b/panel.css",
	sprite: "<svg></svg>",
});

const policy = Object.fromEntries(
	(/Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "").split("; ").map((directive) => {
		const [name = "", ...sources] = directive.split(" ");
		return [name, sources.join(" ")];
	}),
);

describe("panelHtml", () => {
	it("allows its own script by nonce, its own style by place, and nothing else", () => {
		expect(policy).toEqual({
			"default-src": "'none'",
			"style-src": "https://*.vscode-cdn.net",
			"script-src": "'nonce-c2VjcmV0'",
			"connect-src": "'none'",
			"frame-src": "'none'",
			"form-action": "'none'",
			"base-uri": "'none'",
			"require-trusted-types-for": "'script'",
			"trusted-types": "'none'",
		});
	});

	it("has one script, with the nonce, and neither inline styles nor handlers", () => {
		expect(html.match(/<script[^>]*>/g)).toEqual([
			'<script nonce="c2VjcmV0" src="https://file.vscode-cdn.net/a&amp;b/panel.js">',
		]);
		expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
	});

	it("states its policy before anything it applies to", () => {
		expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<link"));
	});

	it("says its language and its title, and is busy until the panel takes over", () => {
		expect(html).toContain('<html lang="en">');
		expect(html).toContain("<title>Muster</title>");
		expect(html).toContain('id="root" aria-busy="true"');
	});
});
