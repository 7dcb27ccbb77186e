import ipaddr from "ipaddr.js";

/**
 * Every block that is not the public internet, from IANA's registries of special addresses. Where one holds an IPv4
 * address inside an IPv6 one it is refused whatever that address is: who routes it decides where it leads.
 */
const blocks: readonly (readonly [block: string, kind: string])[] = [
	["0.0.0.0/8", "this machine"],
	["10.0.0.0/8", "a private network"],
	["100.64.0.0/10", "a provider's inner network"],
	["127.0.0.0/8", "this machine"],
	["168.63.129.16/32", "a cloud's own services"],
	["169.254.0.0/16", "the local link, where clouds keep their keys"],
	["172.16.0.0/12", "a private network"],
	["192.0.0.0/24", "reserved"],
	["192.0.2.0/24", "for documentation"],
	["192.31.196.0/24", "reserved"],
	["192.52.193.0/24", "reserved"],
	["192.88.99.0/24", "a tunnel"],
	["192.168.0.0/16", "a private network"],
	["192.175.48.0/24", "reserved"],
	["198.18.0.0/15", "for measurements"],
	["198.51.100.0/24", "for documentation"],
	["203.0.113.0/24", "for documentation"],
	["224.0.0.0/4", "a group of machines"],
	["240.0.0.0/4", "reserved"],
	["::/128", "this machine"],
	["::1/128", "this machine"],
	["::ffff:0:0/96", "an IPv4 address in another form"],
	["::ffff:0:0:0/96", "an IPv4 address in another form"],
	["::/96", "an IPv4 address in another form"],
	["64:ff9b::/96", "an IPv4 address in another form"],
	["64:ff9b:1::/48", "an IPv4 address in another form"],
	["2001::/32", "a tunnel"],
	["2001::/23", "reserved"],
	["2001:db8::/32", "for documentation"],
	["2002::/16", "a tunnel"],
	["2620:4f:8000::/48", "reserved"],
	["3fff::/20", "for documentation"],
	["fc00::/7", "a private network"],
	["fe80::/10", "the local link"],
	["fec0::/10", "a private network"],
	["ff00::/8", "a group of machines"],
];
const parsedBlocks = blocks.map(([block, kind]) => ({ range: ipaddr.parseCIDR(block), kind }));

/** All of IPv6 that is given out to the public; the rest is nobody's yet. */
const publicIpv6 = ipaddr.parseCIDR("2000::/3");

/** What an address is, as the rest of "it is", unless it is an ordinary one of the internet. Fails closed. */
export function judgeAddress(text: string): string | undefined {
	if (text.includes("%")) return "the local link";
	if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return "no address";
	const address = ipaddr.parse(text);
	const block = parsedBlocks.find(({ range }) => isIn(address, range));
	if (block !== undefined) return block.kind;
	if (address.kind() === "ipv4") return undefined;
	if (!isIn(address, publicIpv6)) return "reserved";
	return isTunnelEnd(address.toByteArray()) ? "a tunnel" : undefined;
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, [base, length]: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
	return address.kind() === base.kind() && address.match(base, length);
}

/** ISATAP writes an IPv4 address into the last bytes, behind any prefix. */
function isTunnelEnd(bytes: readonly number[]): boolean {
	return ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}
