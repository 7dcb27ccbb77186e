import { type HtmlToken, readHtmlTokens } from "./htmlTokens.ts";
import { MarkdownWriter } from "./markdownWriter.ts";

export interface ReadablePage {
	readonly title: string;
	/** As Markdown: headings, lists, links, tables and code; all else is text. */
	readonly text: string;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** What nobody reads on a page. */
const unseen = set("script style template svg canvas iframe object audio video noembed noframes datalist");
const empty = set("area base br col embed hr img input link meta source track wbr");
const paragraphs = set(
	"p div section article main header footer nav aside table blockquote figure form fieldset details dl ul ol address hr",
);
const lines = set("tr dt dd figcaption summary option legend caption");
const longestLink = 500;
const deepestIndent = 8;

/** Reads a page the way a person sees it: what its author has hidden from people is hidden from the model too. */
export function readHtml(html: string, base: URL): ReadablePage {
	const reader = new HtmlReader(base);
	for (const token of readHtmlTokens(html)) reader.take(token);
	return reader.end();
}

class HtmlReader {
	readonly #base: URL;
	readonly #writer = new MarkdownWriter();
	readonly #lists: { readonly isOrdered: boolean; count: number }[] = [];
	#title = "";
	#isTitle = false;
	#skipped: { readonly name: string; depth: number } | undefined;
	#link: { readonly href: string; readonly mark: number } | undefined;
	#isFirstCell = true;

	constructor(base: URL) {
		this.#base = base;
	}

	take(token: HtmlToken): void {
		if (this.#skipped !== undefined && this.#staysSkipped(token, this.#skipped)) return;
		if (token.kind === "text") this.#takeText(token.text);
		else if (token.kind === "open") this.#open(token.name, token.attributes);
		else this.#close(token.name);
	}

	end(): ReadablePage {
		this.#closeLink();
		this.#writer.closeCode();
		return { title: this.#title.replaceAll(/\s+/gu, " ").trim(), text: this.#writer.toString() };
	}

	/** Until the element that is not shown ends. A paragraph ends where the next one begins, too. */
	#staysSkipped(token: HtmlToken, skipped: { readonly name: string; depth: number }): boolean {
		if (token.kind === "text" || token.name !== skipped.name) return true;
		if (token.kind === "open" && skipped.name !== "p") skipped.depth++;
		else skipped.depth--;
		if (skipped.depth > 0) return true;
		this.#skipped = undefined;
		return token.kind === "close";
	}

	#takeText(text: string): void {
		if (this.#isTitle) this.#title += text;
		else this.#writer.write(text);
	}

	#open(name: string, attributes: ReadonlyMap<string, string>): void {
		if (unseen.has(name) || (!empty.has(name) && isHidden(attributes))) {
			this.#skipped = { name, depth: 1 };
			return;
		}
		if (paragraphs.has(name)) this.#writer.breakLine(this.#lists.length > 0 ? 1 : 2);
		if (lines.has(name)) this.#writer.breakLine();
		const level = /^h([1-6])$/u.exec(name)?.[1];
		if (level !== undefined) {
			this.#writer.breakLine(2);
			this.#writer.put(`${"#".repeat(Number(level))} `);
		}
		this.#openInline(name, attributes);
	}

	#openInline(name: string, attributes: ReadonlyMap<string, string>): void {
		switch (name) {
			case "title":
				this.#isTitle = this.#title === "";
				break;
			case "br":
				if (this.#writer.isPreformatted) this.#writer.put("\n");
				else this.#writer.breakLine();
				break;
			case "hr":
				this.#writer.put("---");
				this.#writer.breakLine(2);
				break;
			case "a":
				this.#openLink(attributes.get("href"));
				break;
			case "img":
				if (attributes.get("alt")?.trim()) this.#writer.write(` [image: ${attributes.get("alt")}] `);
				break;
			case "pre":
				if (!this.#writer.isPreformatted) this.#writer.openCode();
				break;
			case "code":
				if (!this.#writer.isPreformatted) this.#writer.write("`");
				break;
			case "ul":
			case "ol":
				this.#lists.push({ isOrdered: name === "ol", count: 0 });
				this.#indent();
				break;
			case "li":
				this.#openItem();
				break;
			case "tr":
				this.#isFirstCell = true;
				break;
			case "td":
			case "th":
				if (!this.#isFirstCell) this.#writer.put(" | ");
				this.#isFirstCell = false;
				break;
			default:
				break;
		}
	}

	#close(name: string): void {
		if (name === "title") this.#isTitle = false;
		else if (name === "a") this.#closeLink();
		else if (name === "pre") this.#writer.closeCode();
		else if (name === "code" && !this.#writer.isPreformatted) this.#writer.attach("`");
		else if (name === "ul" || name === "ol") {
			this.#lists.pop();
			this.#indent();
		}
		if (/^h[1-6]$/u.test(name)) this.#writer.breakLine(2);
		if (paragraphs.has(name)) this.#writer.breakLine(this.#lists.length > 0 ? 1 : 2);
		if (lines.has(name) || name === "li") this.#writer.breakLine();
	}

	#openItem(): void {
		const list = this.#lists.at(-1);
		if (list !== undefined) list.count++;
		this.#writer.breakLine();
		this.#writer.put(list?.isOrdered === true ? `${list.count}. ` : "- ");
	}

	#indent(): void {
		this.#writer.indent = "  ".repeat(Math.max(0, Math.min(deepestIndent, this.#lists.length) - 1));
	}

	#openLink(href: string | undefined): void {
		this.#closeLink();
		if (href === undefined || href.startsWith("#") || !URL.canParse(href, this.#base.href)) return;
		const url = new URL(href, this.#base);
		if (!/^https?:$/u.test(url.protocol) || url.href.length > longestLink) return;
		this.#link = { href: url.href, mark: this.#writer.mark() };
	}

	/** A link around nothing is none. */
	#closeLink(): void {
		const link = this.#link;
		this.#link = undefined;
		if (link === undefined || this.#writer.length === link.mark + 1) return;
		this.#writer.fill(link.mark, "[");
		this.#writer.attach(`](${link.href})`);
	}
}

function isHidden(attributes: ReadonlyMap<string, string>): boolean {
	if (attributes.has("hidden")) return true;
	const style = attributes.get("style") ?? "";
	return /(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![\d.]))/iu.test(style);
}
