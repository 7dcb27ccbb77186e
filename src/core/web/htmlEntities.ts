/** The names of U+00A0 to U+00FF, in their order. */
const latin1 =
	"nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/** Of the 2,000 others those that are written in running text and code. The rest stay as they stand, and can be read so. */
const others: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: '"',
	apos: "'",
	AMP: "&",
	LT: "<",
	GT: ">",
	QUOT: '"',
	OElig: "Œ",
	oelig: "œ",
	Scaron: "Š",
	scaron: "š",
	ensp: " ",
	emsp: " ",
	thinsp: " ",
	ndash: "–",
	mdash: "—",
	lsquo: "‘",
	rsquo: "’",
	sbquo: "‚",
	ldquo: "“",
	rdquo: "”",
	bdquo: "„",
	dagger: "†",
	bull: "•",
	hellip: "…",
	permil: "‰",
	prime: "′",
	lsaquo: "‹",
	rsaquo: "›",
	euro: "€",
	trade: "™",
	larr: "←",
	uarr: "↑",
	rarr: "→",
	darr: "↓",
	harr: "↔",
	rArr: "⇒",
	minus: "−",
	infin: "∞",
	asymp: "≈",
	ne: "≠",
	le: "≤",
	ge: "≥",
	sum: "∑",
	pi: "π",
	mu: "μ",
	lambda: "λ",
	lbrace: "{",
	rbrace: "}",
	lbrack: "[",
	rbrack: "]",
	lpar: "(",
	rpar: ")",
	num: "#",
	colon: ":",
	comma: ",",
	period: ".",
	sol: "/",
	bsol: "\\",
	lowbar: "_",
	vert: "|",
	grave: "`",
	ast: "*",
	NewLine: "\n",
	Tab: "\t",
};

const named: ReadonlyMap<string, string> = new Map([
	...latin1.split(" ").map((name, index) => [name, String.fromCodePoint(0xa0 + index)] as const),
	...Object.entries(others),
]);

/** The text that is meant by `&amp;`, `&#233;`, `&#xe9;` and the like. */
export function decodeEntities(text: string): string {
	if (!text.includes("&")) return text;
	return text.replaceAll(
		/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,30}));/gu,
		(whole, decimal, hex, name) => {
			if (typeof name === "string") return named.get(name) ?? whole;
			const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
			return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
				? "\uFFFD"
				: String.fromCodePoint(code);
		},
	);
}
