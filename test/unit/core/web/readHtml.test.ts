import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageText } from "../../../../src/core/web/pageText.ts";
import { readHtml } from "../../../../src/core/web/readHtml.ts";

const base = new URL("https://shop.example/docs/page.html");
const textOf = (html: string) => readHtml(html, base).text;
const bytes = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding);

describe("a page", () => {
	it("becomes Markdown: headings, paragraphs, lists, links, code, tables and pictures by their words", () => {
		const page = readHtml(
			`<!doctype html><html><head><title>Carts &amp;
			more</title><style>p { color: red }</style></head><body>
			<h1>The  cart</h1><p>Sums <b>all</b>
			items.<br>Twice.</p>
			<ul><li>one<li>two <ol><li>inner</ol></ul>
			<p>See <a href="../api?x=1&amp;y=2">the API</a>, <a href="#top">top</a>, <a href="javascript:alert(1)">this</a>.</p>
			<pre><code>const a = 1;
  if (a &lt; 2) {}</code></pre>
			<p>Call <code>sum()</code>.</p>
			<table><tr><th>Name<th>Price</tr><tr><td>Pen<td>2 €</tr></table>
			<img src="x.png" alt="A pen"><!-- a note --></body></html>`,
			base,
		);
		expect(page.title).toBe("Carts & more");
		expect(page.text).toBe(
			[
				"# The cart",
				"",
				"Sums all items.",
				"Twice.",
				"",
				"- one",
				"- two",
				"  1. inner",
				"",
				"See [the API](https://shop.example/api?x=1&y=2), top, this.",
				"",
				"```",
				"const a = 1;",
				"  if (a < 2) {}",
				"```",
				"",
				"Call `sum()`.",
				"",
				"Name | Price",
				"Pen | 2 €",
				"",
				"[image: A pen]",
			].join("\n"),
		);
	});

	it.each([
		["a script", "<script>if (a < b) document.write('<p>bad</p>')</script>"],
		["a script that is not closed as it should be", "<SCRIPT>bad</scripty> bad </ScRiPt >"],
		["a style", "<style>.bad { content: '</p>' }</style>"],
		["a template", "<template><p>bad</p></template>"],
		["a comment", "<!-- bad > bad --><!bad><?bad bad?>"],
		["an element that is hidden", "<div hidden><div>bad</div>bad</div>"],
		["an element that its style hides", `<span style="color: red; DISPLAY : none">bad</span>`],
		["text of no size", `<span style="font-size:0px">bad</span>`],
		["a hidden paragraph that another ends", "<p hidden>bad<p>"],
		["a drawing", "<svg><text>bad</text></svg>"],
		["a frame", "<iframe src='/x'>bad</iframe>"],
		["an attribute", `<p title="bad > bad" data-x='<bad>'></p>`],
	])("does not show %s", (_, html) => {
		expect(textOf(`<p>before ${html}after</p>`).replaceAll(/\s+/gu, " ")).toBe("before after");
	});

	it("reads entities by name and number, and leaves what is none", () => {
		expect(textOf("&lt;b&gt; &eacute;&#233;&#xE9; &hellip; &nosuch; a&b &#0; &#xD800; &amp;lt;")).toBe(
			"<b> ééé … &nosuch; a&b \uFFFD \uFFFD &lt;",
		);
	});

	it.each([
		["unclosed tags", "<div".repeat(100_000)],
		["nested lists", "<ul><li>".repeat(100_000)],
		["open quotes", `<a href="`.repeat(100_000)],
		["open comments", "<!--".repeat(100_000)],
		["open scripts", "<script></".repeat(100_000)],
		["signs", "<".repeat(1_000_000)],
		["ampersands", "&".repeat(1_000_000)],
		["blanks in a tag", `<a ${" ".repeat(1_000_000)}`],
		["links in links", "<a href=x>y".repeat(100_000)],
	])("of nothing but %s is read in time", { timeout: 3_000 }, (_, html) => {
		expect(textOf(html)).toBeTypeOf("string");
	});

	it("never fails, whatever it is", () => {
		const part = fc.constantFrom(
			"<",
			">",
			"</",
			"p",
			"script",
			"a href=",
			'"',
			"'",
			" ",
			"=",
			"&",
			"#",
			"x",
			";",
			"<!--",
			"-->",
			"<pre>",
			"</pre>",
			"<li>",
			"text",
			"\0",
			"é",
		);
		fc.assert(
			fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
				expect(textOf(parts.join(""))).toBeTypeOf("string");
			}),
		);
	});
});

describe("a body", () => {
	it.each([
		["its header", bytes("Gr\xfc\xdfe", "latin1"), "text/plain; charset=ISO-8859-1"],
		["a mark of UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), bytes("Grüße", "utf16le")]), "text/plain"],
		["a mark of UTF-8, against its header", bytes("\uFEFFGrüße"), "text/plain; charset=latin1"],
		["what it says of itself", bytes(`<meta charset="windows-1252"><p>Gr\xfc\xdfe`, "latin1"), "text/html"],
		["UTF-8, where nobody says anything", bytes("Grüße"), "text/plain"],
		["UTF-8, where nobody knows the name", bytes("Grüße"), "text/plain; charset=x-nonsense"],
	])("is decoded by %s", (_, body, type) => {
		expect(pageText(body, type, base)?.text).toBe("Grüße");
	});

	it("of another kind than HTML stays as it is, and of no kind is looked at", () => {
		expect(pageText(bytes('{"a": "<p>"}'), "application/json", base)?.text).toBe('{"a": "<p>"}');
		expect(pageText(bytes("\n<!DOCTYPE html><p>a</p>"), "", base)?.text).toBe("a");
		expect(pageText(bytes("<p>a</p>"), "text/plain", base)?.text).toBe("<p>a</p>");
	});

	it("that is no text is none, and what can't be seen is left out of one", () => {
		expect(pageText(Buffer.from([0x89, 0x50, 0, 0]), "", base)).toBeUndefined();
		expect(pageText(bytes("a\u202Eb\u{E0041}\u200Bc\u0007"), "text/plain", base)?.text).toBe("abc");
	});
});
