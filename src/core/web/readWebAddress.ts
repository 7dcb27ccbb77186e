import { isIP } from "node:net";
import { showExactly } from "../base/showExactly.ts";
import { judgeAddress } from "./judgeAddress.ts";

export type WebAddress =
	| { readonly ok: true; readonly url: URL }
	/** Written for the model: what it is not, and what to do. */
	| { readonly ok: false; readonly problem: string };

const longestUrl = 8_192;

/** Names that lead into a network of its own, wherever they are looked up; and where clouds keep their keys. */
const innerSuffixes =
	"localhost local internal intranet private corp home lan localdomain home.arpa onion test invalid".split(" ");

/** What no web server listens on: a request there speaks to another kind of server. The list is that of browsers. */
const closedPorts: ReadonlySet<number> = new Set([
	1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
	111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
	540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
	6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Whether an address may be fetched at all, by its text alone. It is judged as it was parsed: `2130706433`, `0x7f.1` and
 * full-width digits are 127.0.0.1 by then. Where a name leads is looked up later.
 */
export function readWebAddress(text: string): WebAddress {
	const refuse = (problem: string): WebAddress => ({ ok: false, problem: `${show(text)} ${problem}` });
	if (text.length > longestUrl) return refuse("is too long for a web address. Use a shorter one.");
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/u.test(url.protocol) || url.hostname === "") {
		return refuse("is not a web address. Use one that begins with https://.");
	}
	if (url.username !== "" || url.password !== "") {
		return refuse("holds a user name or a password, and those are sent nowhere. Use the address without them.");
	}
	if (url.port !== "" && closedPorts.has(Number(url.port))) {
		return refuse(`names port ${url.port}, where no web server listens. Use the address without it.`);
	}
	const problem = findHostProblem(url.hostname);
	return problem === undefined ? { ok: true, url } : refuse(problem);
}

function findHostProblem(hostname: string): string | undefined {
	const literal = hostname.replace(/^\[|\]$/gu, "");
	if (isIP(literal) !== 0) {
		const kind = judgeAddress(literal);
		return kind === undefined ? undefined : `leads to ${literal}, which is ${kind}. ${publicOnly}`;
	}
	if (hostname.endsWith(".")) return "has a host name that ends in a dot. Use it without the dot.";
	if (!hostname.includes(".")) return `names a machine of a local network. ${publicOnly}`;
	const inner = innerSuffixes.find((suffix) => hostname.endsWith(`.${suffix}`));
	return inner === undefined ? undefined : `ends in .${inner}, which is a name of a local network. ${publicOnly}`;
}

export const publicOnly =
	"Only public web servers are fetched from: use another source, or say in your report what is left to look up.";

function show(text: string): string {
	return JSON.stringify(showExactly(text.length > 200 ? `${text.slice(0, 200)}…` : text));
}
